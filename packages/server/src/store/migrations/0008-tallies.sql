-- Totals that must be exact and cheap at any size. A change adds a row and waits for nobody; the background adds up
-- the rows into `tallies`, in one statement, so that both together are exact at every moment.
create table tallies (
  topic text collate "C" not null,
  item text collate "C" not null,
  amount bigint not null,
  primary key (topic, item)
);
create table tally_changes (
  id bigint generated always as identity primary key,
  topic text collate "C" not null,
  item text collate "C" not null,
  change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
