-- Money that came in may leave again before the chain can no longer take it back: the first is maturity, the second finality.
alter table transfers add column is_mature boolean not null default false;
