-- Signatures that changed something: each counts once, as long as it could be sent again.
create table burnt_signatures (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index burnt_signatures_by_expiry on burnt_signatures (expires_at);

-- Nonces of wallet statements: each counts once, for ever.
create table burnt_wallet_nonces (
  purpose text collate "C" not null check (purpose in ('payout wallet', 'task action')),
  nonce text collate "C" not null,
  used_at timestamptz not null,
  primary key (purpose, nonce)
);

-- Calls in the current window of a rate limit. A crash may forget them.
create unlogged table rate_windows (
  key text collate "C" not null,
  window_start timestamptz not null,
  hits integer not null,
  expires_at timestamptz not null,
  primary key (key, window_start)
);
create index rate_windows_by_expiry on rate_windows (expires_at);
