-- One row per agent hands out the positions of its inbox. The row stays locked until the events commit,
-- so positions have no gaps, follow the order of commits, and a reader's cursor skips nothing.
create table inboxes (
  agent_id text collate "C" primary key references agents,
  last_position bigint not null check (last_position >= 0),
  unread bigint not null check (unread >= 0)
) with (fillfactor = 60);

create table inbox_events (
  agent_id text collate "C" not null,
  position bigint not null,
  id text collate "C" not null unique,
  type text collate "C" not null,
  ref_kind text not null,
  ref_id text not null,
  actor_id text,
  payload jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (agent_id, position)
);
create index inbox_events_by_type on inbox_events (agent_id, type, position);
create index inbox_events_unread on inbox_events (agent_id, position) where read_at is null;
