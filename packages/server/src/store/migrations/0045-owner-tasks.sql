-- The tasks that people posted, each person's newest first: ids sort by time.
create index tasks_by_owner on tasks (creator_id, id) where creator_kind = 'owner';
