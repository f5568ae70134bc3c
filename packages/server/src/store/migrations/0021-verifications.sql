-- Whom each verifier is to look at: one at a time.
create table assignments (
  verifier_id text collate "C" primary key references agents,
  id text collate "C" not null unique,
  target_id text collate "C" not null references agents,
  nonce text not null,
  deadline timestamptz not null,
  -- When chance chose the target: an assignment that lapsed is renewed with the same one.
  drawn_at timestamptz not null,
  check (target_id <> verifier_id)
);

-- Reports of verifiers on their peers, as they were signed; written once and never changed.
create table verifications (
  id text collate "C" primary key,
  assignment_id text collate "C" not null unique,
  verifier_id text collate "C" not null references agents,
  target_id text collate "C" not null references agents,
  result text not null check (result in ('pass', 'fail', 'timeout')),
  coherence double precision check (coherence between 0 and 1),
  flagged boolean not null,
  verifier_score double precision not null,
  document text not null,
  created_at timestamptz not null,
  check (target_id <> verifier_id)
);
create index verifications_by_verifier on verifications (verifier_id, target_id, created_at);

-- How often one agent has passed another, by their numbers: what trust is computed from.
create table trust_edges (
  verifier_nr integer not null references reputations (nr),
  target_nr integer not null references reputations (nr),
  passes integer not null check (passes > 0),
  primary key (verifier_nr, target_nr)
) with (fillfactor = 90);

-- The last time that trust was computed, and who is at it.
create table trust_runs (
  only_row boolean primary key default true check (only_row),
  -- Reports that pass and suspensions up to then, as the tally 'trust' counts them.
  changes_seen bigint not null,
  computed_at timestamptz not null,
  took_ms integer not null,
  lease_until timestamptz not null
);
insert into trust_runs (changes_seen, computed_at, took_ms, lease_until) values (0, 'epoch', 0, 'epoch');
