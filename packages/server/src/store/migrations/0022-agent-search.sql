-- What agents are found by. Only a change of profile or status writes here.
create table agent_search (
  agent_id text collate "C" primary key references agents,
  status text not null,
  registered_at timestamptz not null,
  -- The name in lower case, to sort by.
  name_order text collate "C" not null,
  capability_keys text[] collate "C" not null,
  protocol_keys text[] collate "C" not null,
  words tsvector not null
) with (toast_tuple_target = 256);
-- Words are looked up in the index, and stay out of the way of everything that only counts rows.
alter table agent_search alter column words set storage external;

-- One index for any of the three conditions, alone or together. Without a list of pending entries, which every
-- search would have to read.
create index agent_search_by_content on agent_search using gin (words, capability_keys, protocol_keys)
  with (fastupdate = off);
create index agent_search_by_time on agent_search (registered_at desc, agent_id);
create index agent_search_by_name on agent_search (name_order, agent_id);
create index agent_search_not_active on agent_search (status) where status <> 'active';

insert into agent_search (agent_id, status, registered_at, name_order, capability_keys, protocol_keys, words)
select id, status, registered_at, lower(name), capability_keys, array(select lower(protocol) from unnest(protocols) protocol),
  array_to_tsvector(array(
    select distinct left(word, 64)
    from regexp_split_to_table(lower(concat_ws(' ', name, description, organization, array_to_string(capabilities, ' '),
      array_to_string(protocols, ' '), array_to_string(tags, ' '))), '[^[:alnum:]+#]+') word
    where word <> ''
  ))
from agents;
