import { isoTime } from '../domain/instant.ts'
import type { RateWindow } from '../domain/rate-limit/standing.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'

/** A window that is over restarts in its existing row. */
const hit = `
insert into rate_counts as counted (key, hits, expires_at) values ($1, 1, $3)
on conflict (key) do update set
  hits = case when counted.expires_at <= $2 then 1 else counted.hits + 1 end,
  expires_at = case when counted.expires_at <= $2 then excluded.expires_at else counted.expires_at end
returning hits, expires_at`

const counted = 'select hits, expires_at from rate_counts where key = $1'

type WindowRow = { readonly hits: number; readonly expires_at: number }

const readWindow = ({ hits, expires_at: endsAt }: WindowRow): RateWindow => ({ hits, endsAt })

export const rateWindowReads = (connection: Connection) =>
  ({
    rateWindow: (key) => readOne(connection, readWindow, counted, [key]),
  }) satisfies Partial<Reader>

export const rateWindowWrites = (connection: Connection) =>
  ({
    async hit(key, now, windowMs) {
      const endsAt = now + windowMs
      const window = await readOne(connection, readWindow, hit, [key, isoTime(now), isoTime(endsAt)])
      return window ?? { hits: 1, endsAt }
    },
  }) satisfies Partial<Transaction>
