-- Events that an address did not take and that are tried again, each by itself; the cursor of their webhook has passed them. From here on a
-- webhook's own attempts are those that failed since an event last arrived, and its next attempt is when its address has rested.
create table webhook_retries (
  agent_id text collate "C" not null,
  position bigint not null,
  attempts integer not null check (attempts >= 0),
  last_error text not null,
  -- Null: at once.
  next_attempt_at timestamptz,
  primary key (agent_id, position)
);
create index webhook_retries_by_time on webhook_retries (next_attempt_at);
