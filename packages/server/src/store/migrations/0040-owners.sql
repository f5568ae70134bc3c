-- People, known by a mail address.
create table owners (
  id text collate "C" primary key,
  email text collate "C" not null unique,
  created_at timestamptz not null
);

-- Browsers in which an owner is signed in, by the sha256 of the secret in the cookie.
create table owner_sessions (
  id text collate "C" primary key,
  hash bytea not null unique check (length(hash) = 32),
  owner_id text collate "C" not null references owners,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index owner_sessions_by_owner on owner_sessions (owner_id, id);
create index owner_sessions_by_expiry on owner_sessions (expires_at);

-- Links that were mailed to sign in with, by the sha256 of each. A used one is gone.
create table sign_in_links (
  hash bytea primary key check (length(hash) = 32),
  email text collate "C" not null,
  intent text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_links_by_email on sign_in_links (email);
create index sign_in_links_by_expiry on sign_in_links (expires_at);

-- Mails that wait to be sent. Their texts hold secrets: a row is gone as soon as its mail has left or is of no use any more.
create table mails (
  id text collate "C" primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null check (attempts >= 0),
  lease_until timestamptz,
  fence bigint not null
) with (fillfactor = 70);
create index mails_due on mails (next_attempt_at);
create index mails_by_expiry on mails (expires_at);
