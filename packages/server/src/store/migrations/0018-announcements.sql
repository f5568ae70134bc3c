-- How far the announcement of a task has come, while it goes on: agents are told in the order of their ids.
create table task_announcements (
  task_id text collate "C" primary key,
  told_up_to text collate "C" not null,
  -- Tells one opening of the task from the next: a reopened task is announced from the beginning.
  open_until timestamptz,
  expires_at timestamptz not null
);
create index task_announcements_by_expiry on task_announcements (expires_at);
