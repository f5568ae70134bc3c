-- Links between agents and people at an identity provider while they are being made. Of what the person's browser holds
-- only hashes are kept. That a link has expired is a matter of the clock and never written.
create table identity_links (
  id text collate "C" primary key,
  agent_id text collate "C" not null references agents,
  issuer text not null,
  status text collate "C" not null check (status in ('pending', 'linked', 'failed')),
  error text collate "C",
  state_hash bytea not null unique check (length(state_hash) = 32),
  binding_hash bytea check (length(binding_hash) = 32),
  code_hash bytea check (length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint identity_link_ends_once check ((status = 'pending') = (ended_at is null)),
  constraint identity_link_says_why_it_failed check ((status = 'failed') = (error is not null))
);
create index identity_links_to_forget on identity_links (expires_at);

-- Who stands behind an agent: one person each, and nobody for two. Addresses are masked before they are written.
create table agent_identities (
  agent_id text collate "C" primary key references agents,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  email text,
  email_verified boolean not null,
  display_name text,
  linked_at timestamptz not null,
  constraint identity_stands_behind_one_agent unique (issuer, subject)
);
