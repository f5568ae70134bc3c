-- How long the stages of paid tasks took, by the day on which they were paid, for days on which nothing changes any more:
-- ascending milliseconds, eight bytes each. The medians of a long window are read from here, not from all its tasks.
create table settled_days (
  day integer primary key,
  tasks integer not null check (tasks > 0),
  paid bytea not null,
  claim bytea not null,
  delivery bytea not null,
  review bytea not null
);
-- Up to which day they are kept, and how often one had to be given up again.
create table settled_days_kept (
  singleton boolean primary key default true check (singleton),
  through integer,
  given_up integer not null default 0
);
insert into settled_days_kept default values;
