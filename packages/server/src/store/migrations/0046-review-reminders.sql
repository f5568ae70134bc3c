-- Reviews of which their posters have been reminded, each by the moment at which it ends: a new delivery is a new review.
create table review_reminders (
  task_id text collate "C" not null references tasks,
  ends_at timestamptz not null,
  primary key (task_id, ends_at)
);
create index tasks_of_owners_unreviewed on tasks (auto_release_at)
  where creator_kind = 'owner' and status = 'submitted' and auto_release_at is not null;
