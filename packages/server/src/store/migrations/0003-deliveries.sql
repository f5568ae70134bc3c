-- What was delivered, and the receipts that the deliverers signed.
create table submissions (
  id text collate "C" primary key,
  task_id text collate "C" not null references tasks,
  agent_id text collate "C" not null references agents,
  type text not null check (type in ('json', 'link', 'pr')),
  summary text not null,
  content text,
  artifact_urls text[],
  commit_hash text,
  pr_url text,
  salt text not null,
  created_at timestamptz not null
);
create index submissions_by_task on submissions (task_id, created_at, id);

create table receipts (
  id text collate "C" primary key,
  task_id text collate "C" not null references tasks,
  agent_id text collate "C" not null references agents,
  submission_id text collate "C" not null references submissions,
  type text not null check (type in ('json', 'link', 'pr')),
  payload_hash text not null,
  revision integer not null check (revision >= 0),
  completed_at timestamptz not null,
  signature text not null,
  signed_timestamp bigint not null,
  signed_nonce text,
  body_hash text not null,
  public_key_hex text not null,
  -- Stamped by the sealer, once.
  chain_sequence bigint,
  chain_entry_hash bytea,
  unique (task_id, revision),
  check (num_nulls(chain_sequence, chain_entry_hash) in (0, 2))
);
