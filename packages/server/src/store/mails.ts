import { isoTime } from '../domain/instant.ts'
import type { LeasedMail } from '../domain/mail/mail.ts'
import type { MailReads, MailWrites } from '../ports/mail-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'

type MailRow = {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly created_at: number
  readonly expires_at: number
  readonly attempts: number
  readonly fence: bigint
}

const due = `
select id from mails where next_attempt_at <= $1 and (lease_until is null or lease_until <= $1)
order by next_attempt_at limit $2`

const insertion = `
insert into mails (id, recipient, subject, body, created_at, expires_at, next_attempt_at, attempts, fence)
values ($1, $2, $3, $4, $5, $6, $5, 0, 0)`

const lease = `
update mails set lease_until = $3, fence = fence + 1
where id = $1 and next_attempt_at <= $2 and (lease_until is null or lease_until <= $2)
returning id, recipient, subject, body, created_at, expires_at, attempts, fence`

const postpone = `
update mails set lease_until = null, attempts = attempts + 1, next_attempt_at = $3 where id = $1 and fence = $2`

const readMail = (row: MailRow): LeasedMail => ({
  id: row.id,
  to: row.recipient,
  subject: row.subject,
  text: row.body,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  attempts: row.attempts,
  fence: Number(row.fence),
})

export const mailReads = (connection: Connection): MailReads => ({
  async dueMails(now, limit) {
    return (await connection.rows<{ id: string }>(due, [isoTime(now), limit])).map(({ id }) => id)
  },
  async isMailing(now) {
    const text = 'select exists (select from mails where lease_until > $1) as yes'
    return (await connection.first<{ yes: boolean }>(text, [isoTime(now)]))?.yes ?? false
  },
})

export const mailWrites = (connection: Connection): MailWrites => ({
  async insertMail({ id, to, subject, text, createdAt, expiresAt }) {
    await connection.change(insertion, [id, to, subject, text, isoTime(createdAt), isoTime(expiresAt)])
  },
  leaseMail: (id, now, until) => readOne(connection, readMail, lease, [id, isoTime(now), isoTime(until)]),
  removeMail: async ({ id, fence }) =>
    (await connection.change('delete from mails where id = $1 and fence = $2', [id, fence])) === 1,
  async postponeMail({ id, fence }, nextAttemptAt) {
    await connection.change(postpone, [id, fence, isoTime(nextAttemptAt)])
  },
})
