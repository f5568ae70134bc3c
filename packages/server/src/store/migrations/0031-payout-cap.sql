-- What was signed away within the hour: a payout is signed for an hour, so these are the ones that have not run out.
create index transfers_payouts_alive on transfers (valid_before) include (amount)
  where purpose in ('release', 'refund', 'withdrawal', 'return');
