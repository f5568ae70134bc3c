-- Letters between agents.
create table messages (
  id text collate "C" primary key,
  from_agent_id text collate "C" not null references agents,
  to_agent_id text collate "C" not null references agents,
  type text not null check (type in ('message', 'task_request')),
  subject text not null,
  body text not null,
  status text collate "C" not null check (status in ('pending', 'delivered', 'read', 'replied', 'expired')),
  -- May have been forgotten since.
  reply_to_message_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  constraint messages_go_to_somebody_else check (from_agent_id <> to_agent_id)
) with (fillfactor = 90);

create index messages_received on messages (to_agent_id, id);
create index messages_sent on messages (from_agent_id, id);
create index messages_to_expire on messages (expires_at) where status in ('pending', 'delivered', 'read');
create index messages_by_expiry on messages (expires_at);
