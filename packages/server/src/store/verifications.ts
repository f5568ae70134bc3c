import { isoTime } from '../domain/instant.ts'
import type { Assignment } from '../domain/verification/verification.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'

const save = `
insert into assignments (verifier_id, id, target_id, nonce, deadline, drawn_at) values ($1, $2, $3, $4, $5, $6)
on conflict (verifier_id) do update
set id = excluded.id, target_id = excluded.target_id, nonce = excluded.nonce, deadline = excluded.deadline,
  drawn_at = excluded.drawn_at`

/** Not the verifier itself, a house agent, a suspended one, or one that it was given or reported on recently. */
const drawable = `
a.status <> 'suspended' and not a.house and a.id <> $1
and not exists (
  select from verifications v where v.verifier_id = $1 and v.target_id = a.id and v.created_at > $2
)
and not exists (
  select from unreported_assignments u where u.verifier_id = $1 and u.target_id = a.id and u.drawn_at > $2
)`

const noteUnreported = `
insert into unreported_assignments (verifier_id, target_id, drawn_at, expires_at) values ($1, $2, $3, $4)
on conflict (verifier_id, target_id) do update set drawn_at = excluded.drawn_at, expires_at = excluded.expires_at`

const given = `
select ((select count(*) from verifications where verifier_id = $1 and created_at > $2)
  + (select count(*) from unreported_assignments where verifier_id = $1 and drawn_at > $2))::int as given`

const verifierOf = `
select verifier_id from assignments where id = $1
union all select verifier_id from verifications where assignment_id = $1`

const isDrawable = `select a.id from agents a where a.id = $3 and ${drawable}`

/** The first of the drawn numbers that belongs to a drawable agent. */
const draw = `
select a.id
from unnest($3::int[]) with ordinality as drawn (nr, turn)
join reputations r on r.nr = drawn.nr
join agents a on a.id = r.agent_id
where ${drawable}
order by drawn.turn limit 1`

/** Orders all drawable agents and picks one by the random number $3. */
const drawFromAll = `
with line as materialized (
  select a.id, r.nr from reputations r join agents a on a.id = r.agent_id where ${drawable}
)
select id from line order by nr offset floor($3::float8 * (select count(*) from line)) limit 1`

const insert = `
insert into verifications (id, assignment_id, verifier_id, target_id, result, coherence, flagged, verifier_score, document, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

/** A pass is one more edge for trust. */
const countPass = `
with edge as (
  insert into trust_edges as known (verifier_nr, target_nr, passes)
  select v.nr, t.nr, 1 from reputations v, reputations t where v.agent_id = $1 and t.agent_id = $2
  on conflict (verifier_nr, target_nr) do update set passes = known.passes + 1
)
insert into tally_changes (topic, item, change) values ('trust', 'changes', 1)`

type AssignmentRow = {
  readonly id: string
  readonly verifier_id: string
  readonly target_id: string
  readonly nonce: string
  readonly deadline: number
  readonly drawn_at: number
}

const readAssignment = (row: AssignmentRow): Assignment => ({
  id: row.id,
  verifierId: row.verifier_id,
  targetId: row.target_id,
  nonce: row.nonce,
  deadline: row.deadline,
  drawnAt: row.drawn_at,
})

type IdRow = { readonly id: string }
const assignment =
  'select id, verifier_id, target_id, nonce, deadline, drawn_at from assignments where verifier_id = $1'

export const verificationReads = (connection: Connection) =>
  ({
    assignmentOf: (verifierId) => readOne(connection, readAssignment, assignment, [verifierId]),
    async givenSince(verifierId, since) {
      return (await connection.first<{ given: number }>(given, [verifierId, isoTime(since)]))?.given ?? 0
    },
    async verifierOf(assignmentId) {
      return (await connection.first<{ verifier_id: string }>(verifierOf, [assignmentId]))?.verifier_id ?? null
    },
  }) satisfies Partial<Reader>

export const verificationWrites = (connection: Connection) =>
  ({
    lockAssignment: (verifierId) => readOne(connection, readAssignment, `${assignment} for update`, [verifierId]),
    async saveAssignment({ verifierId, id, targetId, nonce, deadline, drawnAt }) {
      await connection.change(save, [verifierId, id, targetId, nonce, isoTime(deadline), isoTime(drawnAt)])
    },
    async noteUnreported({ verifierId, targetId, drawnAt }, until) {
      await connection.change(noteUnreported, [verifierId, targetId, isoTime(drawnAt), isoTime(until)])
    },
    async endAssignment(verifierId) {
      await connection.write('delete from assignments where verifier_id = $1', [verifierId])
    },
    async canBeDrawn(verifierId, since, targetId) {
      return (await connection.first(isDrawable, [verifierId, isoTime(since), targetId])) !== null
    },
    async drawTarget(verifierId, since, numbers) {
      return (await connection.first<IdRow>(draw, [verifierId, isoTime(since), numbers]))?.id ?? null
    },
    async drawFromAll(verifierId, since, place) {
      return (await connection.first<IdRow>(drawFromAll, [verifierId, isoTime(since), place]))?.id ?? null
    },
    async highestNumber() {
      return (await connection.first<{ nr: number }>('select max(nr) as nr from reputations'))?.nr ?? 0
    },
    async insertVerification(verification) {
      const { id, assignmentId, verifierId, targetId, result, coherence, flagged } = verification
      const { verifierScore, document, createdAt } = verification
      const said = [result, coherence, flagged, verifierScore, document, isoTime(createdAt)]
      await connection.write(insert, [id, assignmentId, verifierId, targetId, ...said])
      if (result === 'pass') await connection.write(countPass, [verifierId, targetId])
    },
  }) satisfies Partial<Transaction>
