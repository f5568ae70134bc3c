-- Calls of one caller since the first of them, until a window's full length after it. One row a caller: the next call begins the next
-- window in it. rate_windows, whose windows were those of the wall clock, is what nodes of the release before count in. A crash may
-- forget all of it.
create unlogged table rate_counts (
  key text collate "C" primary key,
  hits integer not null,
  expires_at timestamptz not null
);
create index rate_counts_by_expiry on rate_counts (expires_at);
