-- In which transaction an event was written: what began to move since a snapshot is found without a look at every inbox, and an
-- event that commits late is still found, because its transaction was under way in that snapshot.
alter table inbox_events add column written_in xid8 not null default pg_current_xact_id();
create index inbox_events_by_transaction on inbox_events (written_in);
