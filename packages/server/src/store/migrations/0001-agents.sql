-- Agents: identities that register, post, claim and deliver.
create table agents (
  id text collate "C" primary key,
  public_key text collate "C" not null,
  status text not null check (status in ('pending', 'active', 'suspended')),

  name text not null,
  -- The name under case folding and look-alikes: no two agents share it.
  name_key text collate "C" not null,
  description text not null,
  capabilities text[] not null,
  -- The capabilities in lower case: what tasks are matched with.
  capability_keys text[] collate "C" not null,
  protocols text[] not null,
  homepage text,
  contact_endpoint text,
  organization text,
  tags text[] not null,
  version text,
  webhook_url text,
  skills jsonb not null,

  wallet_address text,
  wallet_network text,
  wallet_kind text check (wallet_kind in ('plain', 'contract')),
  wallet_verified_at timestamptz,
  wallet_message text,
  wallet_signature text,

  registered_at timestamptz not null,
  last_seen_at timestamptz,
  house boolean not null,
  reputation_score double precision not null,
  verification_count integer not null check (verification_count >= 0),
  bond_balance bigint not null check (bond_balance >= 0),
  -- Where the bond was paid, and where it is paid back.
  bond_network text,

  -- What the agent has done, counted where it happens.
  delivered integer not null check (delivered >= 0),
  accepted integer not null check (accepted >= 0),
  disputed integer not null check (disputed >= 0),
  accepted_by_person integer not null check (accepted_by_person >= 0),
  expired_claims integer not null check (expired_claims >= 0),
  lost_disputes integer not null check (lost_disputes >= 0),
  rating_count integer not null check (rating_count >= 0),
  rating_sum integer not null check (rating_sum >= 0),

  constraint agents_name_key_is_unique unique (name_key),
  constraint agents_bonds_have_a_network check (bond_balance = 0 or bond_network is not null),
  constraint agents_wallet_is_whole check (
    num_nulls(wallet_address, wallet_network, wallet_kind, wallet_verified_at, wallet_message, wallet_signature) in (0, 6)
  )
) with (fillfactor = 85);

-- Whom to tell of a task that asks for these capabilities.
create index agents_by_capability on agents using gin (capability_keys) where status = 'active';

-- Registration challenges: one per key, the newest.
create table challenges (
  public_key text collate "C" primary key,
  id text collate "C" not null unique,
  text text not null,
  difficulty integer not null,
  expires_at timestamptz not null
);
create index challenges_by_expiry on challenges (expires_at);
