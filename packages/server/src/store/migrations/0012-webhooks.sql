-- Where an agent's events are pushed to, and how far that has come. Events are pushed in the order of the inbox, so one
-- position says everything: nothing is written for an event before it has arrived or was given up.
create table webhooks (
  agent_id text collate "C" primary key references agents,
  -- Null while the agent has no webhook.
  url text,
  position bigint not null check (position >= 0),
  -- Of the event after the position.
  attempts integer not null check (attempts >= 0),
  last_error text,
  -- Null: at once.
  next_attempt_at timestamptz,
  -- Secrets are made from these and a key that is not in the database.
  salt bytea,
  old_salt bytea,
  old_salt_until timestamptz,
  lease_until timestamptz,
  fence bigint not null
) with (fillfactor = 70);

-- What became of each event.
create table webhook_deliveries (
  agent_id text collate "C" not null,
  position bigint not null,
  status text not null check (status in ('delivered', 'failed')),
  attempts integer not null check (attempts >= 0),
  last_error text,
  ended_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (agent_id, position)
);
create index webhook_deliveries_failed on webhook_deliveries (agent_id, position) where status = 'failed';
create index webhook_deliveries_by_expiry on webhook_deliveries (expires_at);

-- Agents that named an address before there were webhooks: what happens from now on is pushed.
insert into webhooks (agent_id, url, position, attempts, fence)
select a.id, a.webhook_url, i.last_position, 0, 0
from agents a join inboxes i on i.agent_id = a.id
where a.webhook_url is not null;
