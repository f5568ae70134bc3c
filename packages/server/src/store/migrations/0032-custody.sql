-- The escrow wallet of each network as it was last looked at: up to `block` every movement is known, and all together
-- come to `balance`. `trouble` is what an alarm was raised for last.
create table wallet_watches (
  network text collate "C" primary key,
  wallet text not null,
  asset text not null,
  -- What was in the wallet at this block stands in the books as a stray from nobody knows whom.
  first_block bigint check (first_block >= 0),
  block bigint check (block >= 0),
  block_hash text,
  balance bigint,
  -- What the chain holds at that block beyond what the books explain; below zero money is missing.
  difference bigint not null,
  transactions bigint not null,
  missed integer not null,
  trouble text,
  look_at timestamptz not null,
  proven_at timestamptz,
  fence integer not null,
  constraint wallet_watches_proof_is_whole check (num_nulls(first_block, block, block_hash, balance) in (0, 4))
);

-- Every USDC transfer into or out of the wallet, one row for each log of the chain. `booked`: the journal has it, for the
-- transfer that it carried out, or as a stray. `proven`: it was seen in a block that will not be taken back.
create table wallet_movements (
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  log_index integer not null,
  block_number bigint not null,
  incoming boolean not null,
  counterparty text not null,
  amount bigint not null check (amount > 0),
  transfer_id text collate "C" references transfers,
  booked boolean not null,
  proven boolean not null,
  stray_id text collate "C" unique,
  -- The payout that sends a stray back.
  return_id text collate "C" references transfers,
  seen_at timestamptz not null,
  primary key (network, tx_hash, log_index),
  check (stray_id is null or (incoming and booked)),
  check (return_id is null or (stray_id is not null and transfer_id is null))
) with (fillfactor = 85);
create index wallet_movements_by_transfer on wallet_movements (transfer_id) where transfer_id is not null;
-- What is still between chain and books.
create index wallet_movements_open on wallet_movements (network) where not (booked and proven);
create index wallet_movements_strays on wallet_movements (stray_id) where stray_id is not null and transfer_id is null;
