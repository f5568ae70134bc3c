import { DAY } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { StageSamples } from '../domain/settled/stage-times.ts'
import type { KeptDays, SettledDayReads, SettledDayWrites } from '../ports/settled-day-store.ts'
import type { Connection } from './connection.ts'
import { isPaid } from './settled-population.ts'

type DayRow = {
  readonly day: number
  readonly tasks: number
  readonly paid: Buffer
  readonly claim: Buffer
  readonly delivery: Buffer
  readonly review: Buffer
}

const kept = 'select through, given_up as "givenUp" from settled_days_kept'

const firstPaid = `
select t.settled_at from tasks t
where ${isPaid('t')} and t.settled_at >= $1
order by t.settled_at, t.id
limit 1`

const keep = `
insert into settled_days (day, tasks, paid, claim, delivery, review) values ($1, $2, $3, $4, $5, $6)
on conflict (day) do update set tasks = excluded.tasks, paid = excluded.paid, claim = excluded.claim,
  delivery = excluded.delivery, review = excluded.review`

/** Every time, so that it waits for whoever is about to store this day, and nodes that remember it unstored forget it, too. */
const giveUp = `
update settled_days_kept set given_up = given_up + 1, through = case when through >= $1 then $1::int - 1 else through end`

const NOTHING_KEPT: KeptDays = { through: null, givenUp: 0 }

const keptDays = async (connection: Connection, text: string): Promise<KeptDays> =>
  (await connection.first<KeptDays>(text)) ?? NOTHING_KEPT

export const settledDayReads = (connection: Connection): SettledDayReads => ({
  keptDays: () => keptDays(connection, kept),
  async keptSamples(first, end) {
    const text = 'select day, tasks, paid, claim, delivery, review from settled_days where day >= $1 and day < $2'
    const rows = await connection.rows<DayRow>(text, [first, end])
    return new Map(rows.map((row) => [row.day, samplesOf(row)]))
  },
  async firstPaidDay(since) {
    const row = await connection.first<{ settled_at: number }>(firstPaid, [isoTime(since * DAY)])
    return row === null ? null : Math.floor(row.settled_at / DAY)
  },
})

export const settledDayWrites = (connection: Connection): SettledDayWrites => ({
  lockKeptDays: () => keptDays(connection, `${kept} for update`),
  async keepDay(day, { tasks, paid, claim, delivery, review }) {
    await connection.change(keep, [day, tasks, toBytes(paid), toBytes(claim), toBytes(delivery), toBytes(review)])
  },
  async keepThrough(day) {
    await connection.change('update settled_days_kept set through = $1', [day])
  },
  async giveUpDay(day) {
    await connection.change(giveUp, [day])
    await connection.change('delete from settled_days where day >= $1', [day])
  },
})

const samplesOf = ({ tasks, paid, claim, delivery, review }: DayRow): StageSamples => ({
  tasks,
  paid: fromBytes(paid),
  claim: fromBytes(claim),
  delivery: fromBytes(delivery),
  review: fromBytes(review),
})

const toBytes = ({ buffer, byteOffset, byteLength }: Float64Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/** Copied, because a Float64Array must start at a multiple of eight bytes. */
const fromBytes = (bytes: Buffer): Float64Array => new Float64Array(new Uint8Array(bytes).buffer)
