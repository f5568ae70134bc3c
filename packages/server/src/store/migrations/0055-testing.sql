-- Products that are to be tried by agents. What they are is private: nothing here is shown but to the owner, the operators
-- and, through a brief, to whoever holds the claim on one of the tasks.
create table testing_requests (
  id text collate "C" primary key,
  status text collate "C" not null
    check (status in ('unconfirmed', 'confirmed', 'approved', 'running', 'reported', 'rejected', 'expired')),
  email text collate "C" not null check (email = lower(email)),
  owner_id text collate "C",
  scope jsonb not null,
  scope_hash text collate "C" not null,
  retest_of text collate "C" references testing_requests,
  note text,
  created_at timestamptz not null,
  confirm_by timestamptz,
  confirmed_at timestamptz,
  decided_at timestamptz,
  ended_at timestamptz,
  post_at timestamptz,
  trouble text,
  constraint testing_requests_confirmed_have_an_owner
    check (status in ('unconfirmed', 'expired') or owner_id is not null),
  constraint testing_requests_unconfirmed_end check (status <> 'unconfirmed' or confirm_by is not null)
);
create index testing_requests_by_status on testing_requests (status, id);
create index testing_requests_by_owner on testing_requests (owner_id, id) where owner_id is not null;
create index testing_requests_pending on testing_requests (email) where status = 'unconfirmed';
create index testing_requests_unconfirmed on testing_requests (confirm_by) where status = 'unconfirmed';
create index testing_requests_to_post on testing_requests (post_at) where post_at is not null;

-- The tasks that the house has posted for a request: one for each run, and another when that one came to nothing.
create table testing_runs (
  assignment_id uuid primary key,
  request_id text collate "C" not null references testing_requests,
  run integer not null check (run > 0),
  attempt integer not null check (attempt > 0),
  task_id text collate "C" not null unique references tasks,
  outcome text check (outcome in ('accepted', 'lost')),
  review_note text,
  decision text check (decision in ('accept', 'revise', 'dispute', 'cancel')),
  decision_note text,
  trouble text,
  retry_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint testing_runs_are_posted_once unique (request_id, run, attempt)
);
create unique index testing_runs_one_at_a_time on testing_runs (request_id, run) where outcome is distinct from 'lost';
create index testing_runs_under_way on testing_runs (task_id) where outcome is null;

-- Compiled once, when the last run has ended.
create table testing_reports (
  request_id text collate "C" primary key references testing_requests,
  report jsonb not null,
  compiled_at timestamptz not null
);

-- Who may work on testing tasks, and until when.
create table testing_workers (
  agent_id text collate "C" primary key references agents,
  allow_listed boolean not null,
  suspended_for text,
  granted_at timestamptz not null,
  expires_at timestamptz not null
);
