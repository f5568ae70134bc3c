import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { BenchAgent } from './bench-agent.ts'

export type BenchAssignment = {
  readonly id: string
  readonly verifier: BenchAgent
  readonly target: BenchAgent
  readonly nonce: string
}

const assign = `
insert into assignments (verifier_id, id, target_id, nonce, deadline, drawn_at)
select verifier, id, target, nonce, now() + interval '10 minutes', now()
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as drawn (verifier, id, target, nonce)
on conflict (verifier_id) do update
set id = excluded.id, target_id = excluded.target_id, nonce = excluded.nonce, deadline = excluded.deadline, drawn_at = excluded.drawn_at`

/** Gives every agent a target to verify; the targets shift from call to call. */
export async function assignVerifications(
  database: Pool,
  verifiers: readonly BenchAgent[],
  shift: number,
): Promise<readonly BenchAssignment[]> {
  const assignments = verifiers.map((verifier, nr) => ({
    id: randomUUID(),
    verifier,
    target: verifiers[(nr + 1 + (shift % (verifiers.length - 1))) % verifiers.length] ?? verifier,
    nonce: randomBytes(24).toString('base64url'),
  }))
  await database.query(assign, [
    assignments.map(({ verifier }) => verifier.id),
    assignments.map(({ id }) => id),
    assignments.map(({ target }) => target.id),
    assignments.map(({ nonce }) => nonce),
  ])
  return assignments
}
