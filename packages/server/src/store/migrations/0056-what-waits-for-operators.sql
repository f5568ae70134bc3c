-- What a person has to look at, found without reading everything else.
create index tasks_disputed on tasks (disputed_at) where status = 'submitted' and review_state = 'disputed';
create index transfers_gone_wrong on transfers (created_at)
  where state = 'superseded' or (state = 'dead' and deposit_id is not null);
