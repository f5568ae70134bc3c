-- Everybody whom a task is for is told of it, even when it is claimed while they are being told. Of what was claimed before
-- anybody could be told, nobody is told now.
update tasks set announced = true where not announced and status not in ('open', 'cancelled', 'expired');
drop index concurrently if exists tasks_to_announce;
create index concurrently tasks_to_announce on tasks (created_at)
  where not announced and status not in ('cancelled', 'expired')
    and coalesce(escrow_status, 'funded') not in ('unfunded', 'funding');
