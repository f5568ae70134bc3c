-- The books are not emptied either: neither by themselves, nor together with the transfers and tasks that they are about.
create trigger never_emptied before truncate on postings execute function refuse_change();
create trigger never_emptied before truncate on payment_events execute function refuse_change();
