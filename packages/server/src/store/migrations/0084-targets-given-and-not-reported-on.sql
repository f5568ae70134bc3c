-- Nobody is given the same target twice in 24 hours, reported on or not.
create table unreported_assignments (
  verifier_id text collate "C" not null references agents,
  target_id text collate "C" not null references agents,
  drawn_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (verifier_id, target_id)
);
create index unreported_assignments_by_expiry on unreported_assignments (expires_at);
