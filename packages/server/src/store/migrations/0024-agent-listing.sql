-- A listing without conditions leaves out by their ids the few agents that it does not show, and reads nothing but an
-- index for everybody else: a late page costs little more than the first.
drop index agent_search_by_time, agent_search_by_name, agent_search_not_active, reputations_by_score;
create index agent_search_by_time on agent_search (registered_at desc, agent_id) include (status);
create index agent_search_by_name on agent_search (name_order, agent_id) include (status);
create index agent_search_not_active on agent_search (status, agent_id) where status <> 'active';
create index reputations_by_score on reputations (score desc, nr) include (agent_id);

-- Values as short as these are never moved out of line, whatever is said here.
alter table agent_search reset (toast_tuple_target);
alter table agent_search alter column words set storage extended;
