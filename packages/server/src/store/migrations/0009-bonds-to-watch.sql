-- Bonds that could still be taken back keep withdrawals of the same agent waiting.
create index transfers_bonds_not_final on transfers (agent_id)
  where purpose = 'bond' and state = 'settled' and not is_final;
