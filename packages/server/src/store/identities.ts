import { isoTimeOrNull } from '../domain/instant.ts'
import type { IdentityReads, IdentityWrites } from '../ports/identity-store.ts'
import type { Store } from '../ports/store.ts'
import { anyOf, askedTogether } from './asked-together.ts'
import type { Connection } from './connection.ts'
import { toBytes } from './hash-bytes.ts'
import { type AgentIdentityRow, agentIdentityTable, identityLinkTable } from './identity-row.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto } from './table.ts'

const selectLink = `select ${columnsOf(identityLinkTable, 'l')} from identity_links l`
const selectIdentities = `select ${columnsOf(agentIdentityTable, 'i')} from agent_identities i where i.agent_id = ${anyOf('$1')}`
const insertLink = insertInto(identityLinkTable)
const insertIdentity = insertInto(agentIdentityTable)
const removeIdentity = 'delete from agent_identities where agent_id = $1'

/**
 * Links to the same person run one after the other; otherwise the one that loses would already have given up its old identity.
 */
const waitForPerson = `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`

const makeRoom = `
delete from agent_identities where agent_id = $1
and not exists (select from agent_identities o where o.issuer = $2 and o.subject = $3 and o.agent_id <> $1)`

const end = 'update identity_links set status = $2, error = $3, ended_at = $4, code_hash = null where id = $1'

const bind = `
update identity_links set binding_hash = $2, code_hash = $3
where id = $1 and status = 'pending' and (binding_hash is null or binding_hash = $2)`

const takeCode = `
update identity_links set code_hash = null
where id = $1 and status = 'pending' and binding_hash = $2 and code_hash = $3`

const identitiesOn = (connection: Connection) => async (agentIds: readonly string[]) => {
  const rows = await connection.rows<AgentIdentityRow>(selectIdentities, [agentIds])
  return new Map(rows.map((row) => [row.agent_id, agentIdentityTable.read(row)]))
}

export function identityReads(connection: Connection): IdentityReads {
  const link = (column: string, value: unknown) =>
    readOne(connection, identityLinkTable.read, `${selectLink} where ${column} = $1`, [value])
  return {
    identityLink: (id) => link('l.id', id),
    identityLinkOfState: (stateHash) => link('l.state_hash', toBytes(stateHash)),
    identitiesOf: identitiesOn(connection),
  }
}

export const profileIdentityRead = (connection: Connection): Pick<Store, 'identityOf'> => ({
  identityOf: askedTogether(identitiesOn(connection)),
})

export const identityWrites = (connection: Connection): IdentityWrites => ({
  async insertIdentityLink(link) {
    await connection.change(insertLink.text, insertLink.values(link))
  },
  lockIdentityLink: (id) =>
    readOne(connection, identityLinkTable.read, `${selectLink} where l.id = $1 for no key update`, [id]),
  async endIdentityLink({ id, status, error, endedAt }) {
    await connection.change(end, [id, status, error, isoTimeOrNull(endedAt)])
  },
  bindIdentityLink: async (id, bindingHash, codeHash) =>
    (await connection.change(bind, [id, toBytes(bindingHash), codeHash === null ? null : toBytes(codeHash)])) === 1,
  takeIdentityCode: async (id, bindingHash, codeHash) =>
    (await connection.change(takeCode, [id, toBytes(bindingHash), toBytes(codeHash)])) === 1,
  async saveIdentity(identity) {
    const { agentId, issuer, subject } = identity
    await connection.first(waitForPerson, [issuer, subject])
    await connection.change(makeRoom, [agentId, issuer, subject])
    const text = `${insertIdentity.text} on conflict do nothing`
    return (await connection.change(text, insertIdentity.values(identity))) === 1
  },
  removeIdentity: async (agentId) => (await connection.change(removeIdentity, [agentId])) === 1,
})
