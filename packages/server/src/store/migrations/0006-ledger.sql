-- What a change commits to, written in its transaction; the sealer takes it from here into the ledger.
create table ledger_pending (
  position bigint generated always as identity primary key,
  id text collate "C" not null unique,
  type text not null,
  agent_id text collate "C",
  agent_name text,
  public_key text,
  profile_hash bytea not null,
  receipt_id text collate "C"
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The end of the chain: whoever holds this row is the sealer. Sequence 0 is the end of an empty chain.
create table ledger_head (
  only_row boolean primary key default true check (only_row),
  sequence bigint not null check (sequence >= 0),
  entry_hash bytea not null,
  sealed_at timestamptz not null
);
insert into ledger_head (sequence, entry_hash, sealed_at)
values (0, decode(repeat('00', 32), 'hex'), 'epoch');

-- The ledger: no gaps, no forks, written once and never changed.
create table ledger_entries (
  sequence bigint primary key check (sequence >= 1),
  type text not null,
  agent_id text collate "C",
  agent_name text,
  public_key text,
  profile_hash bytea not null check (octet_length(profile_hash) = 32),
  previous_hash bytea not null unique check (octet_length(previous_hash) = 32),
  entry_hash bytea not null unique check (octet_length(entry_hash) = 32),
  sealed_at timestamptz not null,
  pending_id text collate "C" not null unique
);

-- Hashes of complete subtrees of the Merkle tree over the entries; level 0 are the leaves.
create table merkle_nodes (
  level smallint not null check (level >= 0),
  index bigint not null check (index >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (level, index)
);

create table checkpoints (
  sequence bigint primary key references ledger_entries,
  entry_hash bytea not null,
  tree_size bigint not null,
  root_hash bytea not null,
  issued_at timestamptz not null,
  signature text not null
);
