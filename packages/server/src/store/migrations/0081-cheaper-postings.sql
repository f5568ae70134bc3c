-- Agents are looked for by capability with every posting, and change theirs rarely. What waits outside of the index to be put
-- into it would be read through each time.
alter index agents_by_capability set (fastupdate = off);
select gin_clean_pending_list('agents_by_capability');

-- Written with its task and by nobody else; tasks are never deleted. Asking for the task of each row again took as long as writing it.
alter table task_capabilities drop constraint task_capabilities_task_id_fkey;
