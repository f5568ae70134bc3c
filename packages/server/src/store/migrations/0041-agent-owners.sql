-- The agents that an owner stands behind; an agent has one owner at most.
create table agent_owners (
  agent_id text collate "C" primary key references agents,
  owner_id text collate "C" not null references owners,
  linked_at timestamptz not null
);
create index agent_owners_by_owner on agent_owners (owner_id, linked_at);

-- The code that an owner gives an agent to sign, by its sha256; a newer one takes the place of the one before.
create table agent_codes (
  owner_id text collate "C" primary key references owners,
  hash bytea not null unique check (length(hash) = 32),
  expires_at timestamptz not null
);
create index agent_codes_by_expiry on agent_codes (expires_at);
