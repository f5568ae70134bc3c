import { isoTime } from '../domain/instant.ts'
import type { Owner, OwnerSession } from '../domain/owner/owner.ts'
import type { SignInLink } from '../domain/owner/sign-in-link.ts'
import type { OwnerReads, OwnerWrites } from '../ports/owner-store.ts'
import type { Connection } from './connection.ts'
import { toBytes } from './hash-bytes.ts'
import { readOne } from './read-one.ts'

type OwnerRow = { readonly id: string; readonly email: string; readonly created_at: number }
type SessionRow = {
  readonly id: string
  readonly owner_id: string
  readonly created_at: number
  readonly expires_at: number
}
type LinkRow = {
  readonly email: string
  readonly intent: string | null
  readonly created_at: number
  readonly expires_at: number
}
type SessionWithOwner = SessionRow & { readonly email: string; readonly owner_since: number }

const readOwner = ({ id, email, created_at: createdAt }: OwnerRow): Owner => ({ id, email, createdAt })

const readSession = (row: SessionRow): OwnerSession => ({
  id: row.id,
  ownerId: row.owner_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const readLink = (row: LinkRow): SignInLink => ({
  email: row.email,
  intent: row.intent,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const sessionWithOwner = `
select s.id, s.owner_id, s.created_at, s.expires_at, o.email, o.created_at as owner_since
from owner_sessions s join owners o on o.id = s.owner_id
where s.hash = $1 and s.expires_at > $2`

const sessionsOfOwner = `
select id, owner_id, created_at, expires_at from owner_sessions
where owner_id = $1 and expires_at > $2 order by id desc limit 100`

/** The update changes nothing; it makes RETURNING give the existing row. */
const ensure = `
insert into owners as known (id, email, created_at) values ($1, $2, $3)
on conflict (email) do update set email = known.email
returning id, email, created_at`

const insertSession = `
insert into owner_sessions (id, hash, owner_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`

const saveLink = `
insert into sign_in_links (hash, email, intent, created_at, expires_at) values ($1, $2, $3, $4, $5)`

const linkColumns = 'email, intent, created_at, expires_at'

export const ownerReads = (connection: Connection): OwnerReads => ({
  owner: (id) => readOne(connection, readOwner, 'select id, email, created_at from owners where id = $1', [id]),
  async sessionOf(hash, now) {
    const row = await connection.first<SessionWithOwner>(sessionWithOwner, [toBytes(hash), isoTime(now)])
    if (row === null) return null
    const owner = { id: row.owner_id, email: row.email, createdAt: row.owner_since }
    return { owner, session: readSession(row) }
  },
  async ownerSessions(ownerId, now) {
    return (await connection.rows<SessionRow>(sessionsOfOwner, [ownerId, isoTime(now)])).map(readSession)
  },
  signInLink(hash, now) {
    const text = `select ${linkColumns} from sign_in_links where hash = $1 and expires_at > $2`
    return readOne(connection, readLink, text, [toBytes(hash), isoTime(now)])
  },
})

export const ownerWrites = (connection: Connection): OwnerWrites => ({
  async ensureOwner({ id, email, createdAt }) {
    const row = await connection.first<OwnerRow>(ensure, [id, email, isoTime(createdAt)])
    return row === null ? { id, email, createdAt } : readOwner(row)
  },
  async lockOwner(id) {
    await connection.first('select from owners where id = $1 for no key update', [id])
  },
  async insertSession({ id, ownerId, createdAt, expiresAt }, hash) {
    await connection.change(insertSession, [id, toBytes(hash), ownerId, isoTime(createdAt), isoTime(expiresAt)])
  },
  endSession: async (ownerId, sessionId) =>
    (await connection.change('delete from owner_sessions where owner_id = $1 and id = $2', [ownerId, sessionId])) === 1,
  endOtherSessions: (ownerId, kept) =>
    connection.change('delete from owner_sessions where owner_id = $1 and id <> $2', [ownerId, kept]),
  async saveSignInLink({ email, intent, createdAt, expiresAt }, hash) {
    await connection.change(saveLink, [toBytes(hash), email, intent, isoTime(createdAt), isoTime(expiresAt)])
  },
  async takeSignInLink(hash, now) {
    const text = `delete from sign_in_links where hash = $1 and expires_at > $2 returning ${linkColumns}`
    const row = await connection.first<LinkRow>(text, [toBytes(hash), isoTime(now)])
    if (row === null) return null
    await connection.change('delete from sign_in_links where email = $1', [row.email])
    return readLink(row)
  },
})
