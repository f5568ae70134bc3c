-- Paid tasks, newest first: the public feed reads a page of it, its statistics the times of a window.
create index tasks_settled on tasks (settled_at, id)
  include (bounty_network, created_at, claimed_at, first_submitted_at, verified_at)
  where payment_status = 'settled' and settled_at is not null
    and escrow_status is distinct from 'refunded'
    and coalesce(escrow_release_tx, payment_tx) ~ '^0x[0-9a-fA-F]{64}$';
