-- What peers and buyers made known of each agent. The agent's own row is left alone by it: scores change often, and for
-- many agents at once. Sums of weights fade with time and hold as of sums_as_of.
create table reputations (
  agent_id text collate "C" primary key references agents,
  -- A small number that never changes: chance draws by it, and trust is computed by it.
  nr integer generated always as identity unique,
  trust double precision not null default 0 check (trust between 0 and 1),
  local_score double precision not null default 0,
  -- .7 trust and the local score, between 0 and 1: what agents are listed by.
  score double precision not null default 0 check (score between 0 and 1),
  received integer not null default 0 check (received >= 0),
  passed integer not null default 0 check (passed between 0 and received),
  given integer not null default 0 check (given >= 0),
  safety_flags integer not null default 0 check (safety_flags between 0 and received),
  accepted_by_person integer not null default 0 check (accepted_by_person >= 0),
  accepted_by_timer integer not null default 0 check (accepted_by_timer >= 0),
  failed integer not null default 0 check (failed >= 0),
  sums_as_of timestamptz not null,
  sum_weight double precision not null default 0,
  sum_passed double precision not null default 0,
  sum_answered double precision not null default 0,
  sum_coherence double precision not null default 0,
  sum_coherence_weight double precision not null default 0,
  sum_capability double precision not null default 0,
  sum_capability_weight double precision not null default 0,
  sum_flagged double precision not null default 0,
  sum_accepted double precision not null default 0,
  sum_failed double precision not null default 0,
  computed_at timestamptz not null
) with (fillfactor = 70);
create index reputations_by_score on reputations (score desc, nr);

insert into reputations (agent_id, accepted_by_person, accepted_by_timer, failed, sums_as_of, sum_accepted, sum_failed, computed_at)
select id, accepted_by_person, accepted - accepted_by_person, lost_disputes, registered_at,
  accepted_by_person + (accepted - accepted_by_person) / 2.0, lost_disputes, registered_at
from agents order by registered_at;

alter table agents drop column reputation_score, drop column verification_count;
-- What a suspended agent was before, and becomes again.
alter table agents add column suspended_from text check (suspended_from in ('pending', 'active'));
update agents set suspended_from = 'active' where status = 'suspended';
alter table agents add constraint agents_suspended_were_something check ((status = 'suspended') = (suspended_from is not null));
