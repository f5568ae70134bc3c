-- Who looks for a capability or a protocol looks for it without the blanks around it; what was stored with them was never found.
-- Only the keys change: profiles and tasks are shown as they were sent, and the ledger has committed to them.
do $$
declare
  blanks constant text := E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
begin
  update agents set capability_keys = array(select distinct btrim(key, blanks) from unnest(capability_keys) key)
  where exists (select from unnest(capability_keys) key where key <> btrim(key, blanks));

  update agent_search set
    capability_keys = array(select distinct btrim(key, blanks) from unnest(capability_keys) key),
    protocol_keys = array(select distinct btrim(key, blanks) from unnest(protocol_keys) key)
  where exists (select from unnest(capability_keys || protocol_keys) key where key <> btrim(key, blanks));

  insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
  select task_id, btrim(capability, blanks), status, category, bounty_amount, created_at from task_capabilities
  where capability <> btrim(capability, blanks)
  on conflict do nothing;
  delete from task_capabilities where capability <> btrim(capability, blanks);
end
$$;
