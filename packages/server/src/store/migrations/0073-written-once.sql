-- The ledger and the books are written once. What a node cannot undo by mistake or under somebody's influence, its own
-- database refuses it; whoever owns the tables has to take these triggers away first, which leaves its trace.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise insufficient_privilege using message = format('%s is written once and never changed', tg_table_name);
end $$;

create trigger written_once before update or delete or truncate on ledger_entries execute function refuse_change();
create trigger written_once before update or delete or truncate on merkle_nodes execute function refuse_change();
create trigger written_once before update or delete or truncate on checkpoints execute function refuse_change();
create trigger written_once before update or delete on postings execute function refuse_change();
create trigger written_once before update or delete on payment_events execute function refuse_change();
