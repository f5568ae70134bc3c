import type { Pool } from 'pg'

export const ITEMS = 100_000
export const ACCOUNTS = 10_000

export const itemId = (nr: number): string => `item_${String(nr).padStart(20, '0')}`

/** The simplest tables for what the baselines read and write. */
const tables = `
create table items (id text collate "C" primary key, title text not null, description text not null);
insert into items select 'item_' || lpad(nr::text, 20, '0'), 'Item number ' || nr, repeat('What it is for. ', 20)
from generate_series(0, ${ITEMS - 1}) nr;
create table accounts (id integer primary key, balance bigint not null);
insert into accounts select nr, 0 from generate_series(0, ${ACCOUNTS - 1}) nr;
create table entries (id bigint generated always as identity primary key, account integer not null, amount bigint not null);
create table notes (id bigint generated always as identity primary key, account integer not null, text text not null);`

export async function seedBaseline(database: Pool): Promise<void> {
  await database.query(tables)
  await database.query('vacuum analyze')
}
