-- Tasks, with their claim, review, bounty and custody: one row tells where a task stands.
create table tasks (
  id text collate "C" primary key,
  status text collate "C" not null
    check (status in ('open', 'claimed', 'submitted', 'verified', 'closed', 'cancelled', 'expired')),
  creator_kind text not null check (creator_kind in ('agent', 'owner', 'wallet')),
  creator_id text collate "C" not null,
  title text not null,
  description text not null,
  category text collate "C",
  required_capabilities text[] not null,
  expected_output text,
  output_format text not null check (output_format in ('json', 'link')),
  expires_in_days integer check (expires_in_days > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  expired_at timestamptz,
  cancelled_at timestamptz,

  claimed_by text collate "C" references agents,
  claimed_at timestamptz,
  claim_expires_at timestamptz,

  first_submitted_at timestamptz,
  submitted_at timestamptz,
  auto_release_at timestamptz,
  receipts_count integer not null check (receipts_count >= 0),
  published_at timestamptz,

  review_state text check (review_state in ('revision_requested', 'disputed')),
  review_note text,
  revision_count integer not null check (revision_count >= 0),
  revision_requested_at timestamptz,
  disputed_at timestamptz,
  accepted_by text check (accepted_by in ('creator', 'auto')),
  verified_at timestamptz,
  rating_stars integer check (rating_stars between 1 and 5),
  rating_comment text,
  rating_context text check (rating_context in ('accept', 'dispute')),
  rated_at timestamptz,

  bounty_amount bigint check (bounty_amount >= 0),
  bounty_network text collate "C",
  escrow_status text
    check (escrow_status in ('unfunded', 'funding', 'funded', 'releasing', 'released', 'refunding', 'refunded')),
  escrow_wallet text,
  escrow_payer text,
  escrow_deposit_id text collate "C",
  escrow_deposit_tx text,
  escrow_funded_at timestamptz,
  escrow_exit_id text collate "C",
  escrow_release_tx text,
  escrow_released_at timestamptz,
  escrow_refund_tx text,
  escrow_refunded_at timestamptz,
  payment_status text not null check (
    payment_status in ('none', 'pending', 'authorized', 'settling', 'settled', 'failed', 'expired', 'refunded')
  ),
  pay_to text,
  payment_id text collate "C",
  payment_tx text,
  settled_at timestamptz,
  settle_error text,
  announced boolean not null,

  proposer_signature text,
  acceptor_signature text,
  timer_held_until timestamptz,

  constraint tasks_wallet_creators_are_lower_case check (creator_kind <> 'wallet' or creator_id = lower(creator_id)),
  constraint tasks_claimed_have_a_claimer
    check (status not in ('claimed', 'submitted', 'verified') or claimed_by is not null),
  constraint tasks_rating_is_whole check (num_nulls(rating_stars, rating_context, rated_at) in (0, 3)),
  constraint tasks_bounty_is_whole check (num_nulls(bounty_amount, bounty_network) in (0, 2)),
  constraint tasks_escrow_has_a_bounty check (escrow_status is null or bounty_amount is not null),
  constraint tasks_escrow_is_whole
    check (num_nulls(escrow_status, escrow_wallet, escrow_payer, escrow_deposit_id) in (0, 4))
) with (fillfactor = 85);

-- The board. A listing reads one branch per status and merges the branches by time, so each index leads
-- from its filter over the status to the time, and a page costs the same in a small and in a large table.
create index tasks_by_status on tasks (status, created_at, id) include (bounty_amount);
create index tasks_by_category on tasks (category, status, created_at, id) include (bounty_amount);
create index tasks_by_creator on tasks (creator_id, status, created_at, id) include (category, bounty_amount, claimed_by);
create index tasks_by_claimer on tasks (claimed_by, status, created_at, id) include (category, bounty_amount, creator_id)
  where claimed_by is not null;
-- For a minimum that few bounties reach.
create index tasks_by_amount on tasks (status, bounty_amount) include (category, created_at, id)
  where bounty_amount is not null;

-- What falls due by itself, each in the order in which it does; a held timer looks again when the hold ends.
create index tasks_claims_lapsing on tasks (greatest(claim_expires_at, timer_held_until))
  where status = 'claimed' and claim_expires_at is not null;
create index tasks_unreviewed on tasks (greatest(auto_release_at, timer_held_until))
  where status = 'submitted' and auto_release_at is not null;
create index tasks_expiring on tasks (greatest(expires_at, timer_held_until))
  where status = 'open' and expires_at is not null;
create index tasks_unannounced on tasks (created_at)
  where status = 'open' and not announced and coalesce(escrow_status, 'funded') = 'funded';

-- One row for every capability that a task asks for, in lower case: the board's filter by capability.
-- The other columns repeat the task's, so that the filter needs no look at the task.
create table task_capabilities (
  task_id text collate "C" not null references tasks,
  capability text collate "C" not null,
  status text collate "C" not null,
  category text collate "C",
  bounty_amount bigint,
  created_at timestamptz not null,
  primary key (task_id, capability)
) with (fillfactor = 85);
create index task_capabilities_by_status on task_capabilities (capability, status, created_at, task_id)
  include (bounty_amount);
create index task_capabilities_by_category on task_capabilities (capability, category, status, created_at, task_id)
  include (bounty_amount);
