-- Authorizations that are seen through to the end: money in is signed by a payer, money out by the escrow key.
-- A task and its deposit are written in one transaction in either order, so task_id is no foreign key.
create table transfers (
  id text collate "C" primary key,
  purpose text not null
    check (purpose in ('deposit', 'bounty', 'bond', 'release', 'refund', 'withdrawal', 'return')),
  network text collate "C" not null,
  asset text collate "C" not null,
  payer text collate "C" not null,
  payee text collate "C" not null,
  amount bigint not null check (amount >= 0),
  valid_after numeric(78, 0) not null check (valid_after >= 0),
  valid_before numeric(78, 0) not null check (valid_before >= 0),
  nonce text collate "C" not null,
  signature text,
  task_id text collate "C",
  agent_id text collate "C" references agents,
  deposit_id text collate "C" references transfers,
  state text not null check (state in ('intended', 'settled', 'dead', 'superseded')),
  from_block bigint not null check (from_block >= 0),
  tx_hash text,
  block_number bigint,
  is_final boolean not null,
  attempts integer not null check (attempts >= 0),
  last_error text,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  fence integer not null check (fence >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,

  -- One authorization counts once, whatever it is shown for.
  constraint transfers_authorization_is_unique unique (network, asset, payer, nonce),
  -- One exit per deposit.
  constraint transfers_one_exit_per_deposit unique (deposit_id),
  constraint transfers_exits_name_their_deposit check (purpose not in ('release', 'refund') or deposit_id is not null),
  constraint transfers_settled_have_a_transaction check (state <> 'settled' or tx_hash is not null),
  constraint transfers_hex_is_lower_case
    check (asset = lower(asset) and payer = lower(payer) and payee = lower(payee) and nonce = lower(nonce))
) with (fillfactor = 85);

-- What the settling job looks at next: unsettled, or settled and not yet final. Without a time it is due at once.
create index transfers_due on transfers (coalesce(next_attempt_at, created_at), id)
  where state = 'intended' or (state = 'settled' and not is_final);
create index transfers_by_task on transfers (task_id) where task_id is not null;

-- The custody journal: the same amount on both sides, written once and never changed. An operator who runs the
-- service under a role of its own grants it only select and insert here, on payment_events and on the ledger.
create table postings (
  id text collate "C" primary key,
  network text collate "C" not null,
  debit text not null check (debit in ('wallet', 'deposits', 'bonds', 'house', 'suspense')),
  credit text not null check (credit in ('wallet', 'deposits', 'bonds', 'house', 'suspense')),
  amount bigint not null check (amount >= 0),
  reason text not null check (
    reason in ('deposit', 'bounty', 'bond', 'release', 'refund', 'withdrawal', 'return', 'slash', 'stray', 'undone')
  ),
  transfer_id text collate "C" references transfers,
  task_id text collate "C",
  agent_id text collate "C",
  tx_hash text,
  created_at timestamptz not null,
  check (debit <> credit)
);
create index postings_by_transfer on postings (transfer_id) where transfer_id is not null;

-- What happened to the money of a task, for people to read; written once and never changed.
create table payment_events (
  position bigint generated always as identity primary key,
  id text collate "C" not null unique,
  task_id text collate "C" not null references tasks,
  type text not null,
  details jsonb not null,
  created_at timestamptz not null
);
create index payment_events_by_task on payment_events (task_id, position);

-- Switches that an operator or an alarm turns.
create table switches (
  name text collate "C" primary key,
  is_off boolean not null,
  reason text
);
insert into switches (name, is_off) values ('payouts', false);
