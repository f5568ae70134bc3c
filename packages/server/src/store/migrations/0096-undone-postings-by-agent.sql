-- What the house stands in for when a bond is reorged away: read with every bond that is credited, and there is hardly any.
drop index concurrently if exists postings_undone_by_agent;
create index concurrently postings_undone_by_agent on postings (agent_id) where reason = 'undone';
