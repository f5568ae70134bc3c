-- Idempotency keys and payment identifiers, by keyed hashes, for a day. A key is held while its request runs; whoever
-- dies before the change is committed leaves it free once the lease is over. Answers are sealed with the key itself.
create table repeat_keys (
  id bytea primary key check (length(id) = 32),
  request bytea not null check (length(request) = 32),
  payment bytea check (length(payment) = 32),
  holder uuid not null,
  lease_until timestamptz not null,
  expires_at timestamptz not null,
  committed boolean not null,
  answer bytea
) with (fillfactor = 70);
create index repeat_keys_by_expiry on repeat_keys (expires_at);
