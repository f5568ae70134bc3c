-- Where an operator wants a waiting release to go, once its present authorization can no longer be used.
alter table transfers add column redirect_to text collate "C"
  constraint transfers_redirections_are_lower_case check (redirect_to = lower(redirect_to));
