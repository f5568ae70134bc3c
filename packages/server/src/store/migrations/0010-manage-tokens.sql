-- Tokens that manage a task posted by a wallet, by the sha256 of each; the token itself is shown once and never stored.
create table manage_tokens (
  hash bytea primary key check (length(hash) = 32),
  task_id text collate "C" not null unique references tasks
);
