-- Agents are counted for with every delivery and acceptance: with room for that in its page, a row's indexes need not be told.
alter table agents set (fillfactor = 60);

-- Written with every entry and never read: that no two entries follow the same one is what keeps the chain from forking.
alter table ledger_entries drop constraint ledger_entries_entry_hash_key;
