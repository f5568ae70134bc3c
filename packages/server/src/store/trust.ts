import { isoTime } from '../domain/instant.ts'
import { TRUST_WEIGHT } from '../domain/reputation/score.ts'
import type { TrustEdge, TrustNode, TrustStore } from '../ports/trust-store.ts'
import type { Connection } from './connection.ts'

const changes = `
select coalesce(sum(amount), 0)::text as changes
from (
  select amount from tallies where topic = 'trust' and item = 'changes'
  union all
  select change from tally_changes where topic = 'trust' and item = 'changes'
) parts`

const lease = `update trust_runs set lease_until = $2 where lease_until <= $1`
const conclude = `
update trust_runs set changes_seen = $1, computed_at = $2, took_ms = $3, lease_until = 'epoch' where lease_until = $4`

const edges = `
select verifier_nr as "from", target_nr as "to", passes from trust_edges
where (verifier_nr, target_nr) > ($1, $2) order by verifier_nr, target_nr limit $3`

const standing = `
select r.nr, r.trust, a.house, a.status = 'suspended' as suspended
from reputations r join agents a on a.id = r.agent_id where r.nr > $1 order by r.nr limit $2`

/**
 * Locked in the order of their numbers, as everywhere, so that two transactions cannot deadlock. Nobody takes the lease while it is
 * used.
 */
const save = `
with leased as (
  select from trust_runs where lease_until = $4 for share
), held as (
  select r.nr from reputations r where r.nr = any($1) and exists (select from leased) order by r.nr for no key update
)
update reputations r
set trust = given.trust, score = least(1, greatest(0, ${TRUST_WEIGHT} * given.trust + r.local_score)), computed_at = $3
from held join unnest($1::int[], $2::float8[]) given (nr, trust) using (nr)
where r.nr = held.nr`

type RunRow = { readonly changes_seen: bigint; readonly computed_at: number; readonly took_ms: number }

export const trustStore = (connection: Connection): TrustStore => ({
  async lastRun() {
    const row = await connection.first<RunRow>('select changes_seen, computed_at, took_ms from trust_runs')
    if (row === null) throw new Error('The row of the trust runs is gone.')
    return { changesSeen: Number(row.changes_seen), computedAt: row.computed_at, tookMs: row.took_ms }
  },
  changes: async () => Number((await connection.first<{ changes: string }>(changes))?.changes ?? 0),
  lease: async (now, until) => (await connection.change(lease, [isoTime(now), isoTime(until)])) === 1,
  conclude: async (leasedUntil, { changesSeen, computedAt, tookMs }) =>
    (await connection.change(conclude, [changesSeen, isoTime(computedAt), tookMs, isoTime(leasedUntil)])) === 1,
  edges: (after, limit) => connection.rows<TrustEdge>(edges, [after.from, after.to, limit]),
  standings: (afterNr, limit) => connection.rows<TrustNode>(standing, [afterNr, limit]),
  async save(leasedUntil, values, at) {
    const columns = [values.map(({ nr }) => nr), values.map(({ trust }) => trust)]
    await connection.change(save, [...columns, isoTime(at), isoTime(leasedUntil)])
  },
})
