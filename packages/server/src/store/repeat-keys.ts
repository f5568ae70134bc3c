import { isoTime } from '../domain/instant.ts'
import type { RepeatKeyReads, RepeatKeyWrites } from '../ports/repeat-key-store.ts'
import type { Connection } from './connection.ts'

type KeyRow = {
  readonly request: Buffer
  readonly payment: Buffer | null
  readonly lease_until: number
  readonly committed: boolean
  readonly answer: Buffer | null
}

const hold = `
insert into repeat_keys as kept (id, request, payment, holder, lease_until, expires_at, committed)
values ($1, $2, $3, $4, $5, $6, false)
on conflict (id) do update
set request = excluded.request, payment = excluded.payment, holder = excluded.holder, lease_until = excluded.lease_until,
  expires_at = excluded.expires_at, committed = false, answer = null
where kept.expires_at <= $7 or (kept.lease_until <= $7 and not kept.committed and kept.answer is null)`

export const repeatKeyReads = (connection: Connection): RepeatKeyReads => ({
  async repeatKey(id) {
    const text = 'select request, payment, lease_until, committed, answer from repeat_keys where id = $1'
    const row = await connection.first<KeyRow>(text, [id])
    if (row === null) return null
    const { request, payment, lease_until: leaseUntil, committed, answer } = row
    return { request, payment, leaseUntil, committed, answer }
  },
})

export const repeatKeyWrites = (connection: Connection): RepeatKeyWrites => ({
  async holdKey({ id, request, payment }, holder, { now, leaseUntil, expiresAt }) {
    const times = [isoTime(leaseUntil), isoTime(expiresAt), isoTime(now)]
    return (await connection.change(hold, [id, request, payment, holder, ...times])) === 1
  },
  commitKey: async ({ id, holder }) =>
    (await connection.change('update repeat_keys set committed = true where id = $1 and holder = $2', [id, holder])) ===
    1,
  async keepAnswer({ id, holder }, sealed) {
    await connection.change('update repeat_keys set answer = $3 where id = $1 and holder = $2', [id, holder, sealed])
  },
  async releaseKey({ id, holder }) {
    await connection.change('delete from repeat_keys where id = $1 and holder = $2 and not committed', [id, holder])
  },
})
