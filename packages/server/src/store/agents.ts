import type { PayoutWallet, Profile } from '../domain/agent/agent.ts'
import { isoTimeOrNull } from '../domain/instant.ts'
import { TRUST_WEIGHT } from '../domain/reputation/score.ts'
import { wordsOfProfile } from '../domain/search/words-of.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { type AgentRow, agentTable } from './agent-row.ts'
import { anyOf, askedTogether } from './asked-together.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { followWebhookUrl } from './follow-webhook-url.ts'
import { learnWords } from './known-words.ts'
import { readOne } from './read-one.ts'
import { inColumns, inOrder, type RowStatement, rowsFrom } from './row-statement.ts'
import { columnsOf, insertInto } from './table.ts'

const select = `select ${columnsOf(agentTable, 'a')} from agents a`
const insertion = insertInto(agentTable, ['name_key', 'capability_keys'])
const [nameOrder, protocolKeys, words] = insertion.free(3)

/** One statement: the agent, its search row, its reputation, its empty inbox, its webhook, and the tallies. */
const insert = `
with added as (
  ${insertion.text}
  on conflict do nothing
  returning id, status, registered_at, house, capability_keys, webhook_url
), found as (
  insert into agent_search (agent_id, status, registered_at, name_order, capability_keys, protocol_keys, words)
  select id, status, registered_at, ${nameOrder}, capability_keys, ${protocolKeys}, array_to_tsvector(${words}) from added
), rated as (
  -- The house is trusted from the start.
  insert into reputations (agent_id, trust, score, sums_as_of, computed_at)
  select id, house::int, ${TRUST_WEIGHT} * house::int, registered_at, registered_at from added
), inbox as (
  insert into inboxes (agent_id, last_position, unread) select id, 0, 0 from added
), hooked as (
  insert into webhooks (agent_id, url, position, attempts, fence)
  select id, webhook_url, 0, 0, 0 from added where webhook_url is not null
), counted as (
  insert into tally_changes (topic, item, change)
  select 'agents', item, 1 from added, unnest(array['total', status]) as item
)
select id from added`

const setProfile = `
with changed as (
  update agents set
    name = $2, name_key = $3, description = $4, capabilities = $5, capability_keys = $6, protocols = $7, homepage = $8,
    contact_endpoint = $9, organization = $10, tags = $11, version = $12, webhook_url = $13, skills = $14
  where id = $1 and not exists (select from agents other where other.name_key = $3 and other.id <> $1)
  returning id
)
update agent_search s set name_order = $15, capability_keys = $6, protocol_keys = $16, words = array_to_tsvector($17)
from changed where s.agent_id = changed.id`

const setWallet = `
update agents set wallet_address = $2, wallet_network = $3, wallet_kind = $4, wallet_verified_at = $5,
  wallet_message = $6, wallet_signature = $7
where id = $1`

export const lockAgents: RowStatement = {
  one: `${select} where a.id = $1 for no key update`,
  many: `${select} where a.id = ${anyOf('$1')} for no key update`,
  pack: (rows) => inColumns(inOrder(rows)),
}

const COUNTS = [
  'delivered',
  'accepted',
  'disputed',
  'accepted_by_person',
  'expired_claims',
  'lost_disputes',
  'rating_count',
  'rating_sum',
] as const

export const countForAgents: RowStatement = {
  one: `update agents set ${COUNTS.map((name, index) => `${name} = ${name} + $${index + 2}`).join(', ')} where id = $1`,
  many: `
update agents a set ${COUNTS.map((name) => `${name} = a.${name} + given.${name}`).join(', ')}
from ${rowsFrom({ id: 'text', ...Object.fromEntries(COUNTS.map((name) => [name, 'int'])) })}
where a.id = given.id`,
  pack: (rows) => inColumns(inOrder(rows)),
  key: ([agentId]) => agentId,
}

/** A bond lives on one network until it is used up. */
const adjustBond = `
update agents set bond_balance = bond_balance + $3, bond_network = $2
where id = $1 and (bond_balance = 0 or bond_network = $2)`

export const agentReads = (connection: Connection) =>
  ({
    agent: (id) => readOne(connection, agentTable.read, `${select} where a.id = $1`, [id]),
    agentByNameKey: (key) => readOne(connection, agentTable.read, `${select} where a.name_key = $1`, [key]),
  }) satisfies Partial<Reader>

/** Every signed request reads its agent, so concurrent reads share a statement. */
export const callerReads = (connection: Connection) =>
  ({
    agent: askedTogether(async (ids) => {
      const rows = await connection.rows<AgentRow>(`${select} where a.id = ${anyOf('$1')}`, [ids])
      return new Map(rows.map((row) => [row.id, agentTable.read(row)]))
    }),
  }) satisfies Partial<Reader>

export const agentWrites = (connection: Connection) =>
  ({
    async insertAgent(agent, nameKey) {
      const { capabilities, protocols, name } = agent.profile
      const words = wordsOfProfile(agent.profile)
      const found = [name.toLowerCase(), capabilityKeys(protocols), words]
      const values = [...insertion.values(agent), nameKey, capabilityKeys(capabilities), ...found]
      if (await connection.first(insert, values)) {
        await learnWords(connection, words)
        return 'inserted'
      }
      return (await connection.first('select id from agents where id = $1', [agent.id])) ? 'id_taken' : 'name_taken'
    },
    async lockAgent(id) {
      const locked = (await connection.askRow<AgentRow>(lockAgents, [id])).find((row) => row.id === id)
      return locked === undefined ? null : agentTable.read(locked)
    },
    async setWallet(agentId: string, wallet: PayoutWallet | null) {
      const values = [wallet?.address, wallet?.network, wallet?.kind, isoTimeOrNull(wallet?.verifiedAt ?? null)]
      await connection.write(setWallet, [agentId, ...values, wallet?.proof.message, wallet?.proof.signature])
    },
    async countForAgent(agentId, change) {
      const { delivered = 0, accepted = 0, disputed = 0, acceptedByPerson = 0 } = change
      const { expiredClaims = 0, lostDisputes = 0, ratingCount = 0, ratingSum = 0 } = change
      const deliveries = [delivered, accepted, disputed, acceptedByPerson]
      await connection.writeRow(countForAgents, [
        agentId,
        ...deliveries,
        expiredClaims,
        lostDisputes,
        ratingCount,
        ratingSum,
      ])
    },
    async adjustBond(agentId, network, change) {
      const changed = await connection.change(adjustBond, [agentId, network, change])
      if (changed === 0) throw new Error(`The bond of ${agentId} is not on ${network}.`)
    },
    async updateProfile(agentId: string, profile: Profile, nameKey: string) {
      const named = [profile.name, nameKey, profile.description]
      const able = [profile.capabilities, capabilityKeys(profile.capabilities), profile.protocols]
      const reached = [profile.homepage, profile.contactEndpoint, profile.organization, profile.tags]
      const more = [profile.version, profile.webhookUrl, JSON.stringify(profile.skills)]
      const words = wordsOfProfile(profile)
      const found = [profile.name.toLowerCase(), capabilityKeys(profile.protocols), words]
      const changed = await connection.change(setProfile, [agentId, ...named, ...able, ...reached, ...more, ...found])
      if (changed === 0) return 'name_taken'
      await learnWords(connection, words)
      await followWebhookUrl(connection, agentId, profile.webhookUrl)
      return 'updated'
    },
  }) satisfies Partial<Transaction>
