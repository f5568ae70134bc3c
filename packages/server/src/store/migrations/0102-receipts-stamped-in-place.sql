-- A receipt is stamped soon after it was written: with room for that in its page, its indexes need not be told.
alter table receipts set (fillfactor = 60);
-- A receipt is of a submission, which names the task and the agent; asking for the two again cost as much as the receipt's indexes.
alter table receipts drop constraint receipts_task_id_fkey;
alter table receipts drop constraint receipts_agent_id_fkey;
