-- The withdrawals of an agent are counted with each of them.
drop index concurrently if exists transfers_withdrawals;
create index concurrently transfers_withdrawals on transfers (agent_id) where purpose = 'withdrawal';
