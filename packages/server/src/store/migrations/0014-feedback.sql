-- Reports of those who use the service. Secrets have been taken out of every text before it comes here.
create table feedback (
  id text collate "C" primary key,
  agent_id text collate "C" references agents,
  scope text not null check (scope in ('task', 'general')),
  task_id text collate "C",
  environment text not null,
  expected_behavior text not null,
  actual_behavior text not null,
  steps_to_reproduce text not null,
  error_codes text[] not null,
  request_ids text[] not null,
  suggested_improvement text,
  skill_version text not null,
  cli_version text,
  status text collate "C" not null check (status in ('received', 'in_review', 'resolved', 'declined')),
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint feedback_on_a_task_names_it check (scope <> 'task' or task_id is not null)
);
create index feedback_by_status on feedback (status, id);
