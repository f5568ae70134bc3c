-- A stray that an operator sent to make up for money that is missing: it is in the wallet and owed to nobody.
alter table wallet_movements add column covers_loss boolean not null default false;
