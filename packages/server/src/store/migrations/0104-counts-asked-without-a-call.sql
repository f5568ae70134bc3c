-- Agents are counted for with every delivery. PostgreSQL asks a trigger's own condition by itself: the function is called for counts
-- only when there is something to refuse.
create or replace trigger agents_are_sound after insert or update of
  status, suspended_from, bond_balance, bond_network, wallet_address, wallet_network, wallet_kind, wallet_verified_at,
  wallet_message, wallet_signature
on agents for each row execute function refuse_unsound_agent();
create trigger agents_counts_are_sound after update of
  delivered, accepted, disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum
on agents for each row
when (least(new.delivered, new.accepted, new.disputed, new.accepted_by_person, new.expired_claims, new.lost_disputes,
  new.rating_count, new.rating_sum) < 0)
execute function refuse_unsound_agent();

-- A submission is of a task, and its agent is who has claimed that: the task knows that there is such an agent.
alter table submissions drop constraint submissions_agent_id_fkey;
