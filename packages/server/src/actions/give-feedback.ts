import { endpoints, limitFor } from '@guildhall/protocol'
import type { Caller } from '../domain/caller.ts'
import type { Feedback, FeedbackReport } from '../domain/feedback/feedback.ts'
import { withoutSecrets } from '../domain/feedback/without-secrets.ts'
import type { HeldKey } from '../domain/idempotency/held-key.ts'
import type { Standing } from '../domain/rate-limit/standing.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { countAgainst } from './count-against.ts'
import { useKey } from './hold-key.ts'
import { newId } from './new-id.ts'
import { changeOf, signedChange } from './signed-change.ts'

/** A reporter without a signature: known by the network, and perhaps by an Idempotency-Key. */
export type Nobody = { readonly network: string; readonly held: HeldKey | null }

export type Given = { readonly feedback: Feedback; readonly standing: Standing }

/** Writes a report. A repeat under the same key is answered before it gets here, and is not counted. */
export function giveFeedback(world: World, by: Caller | Nobody, report: FeedbackReport): Promise<Given> {
  const clean = withoutSecrets(report)
  if ('agent' in by) return signedChange(world, by, (tx) => write(world, tx, clean, by.agent.id, by.agent.id))
  return changeOf(world, async (tx) => {
    await useKey(tx, by.held)
    return write(world, tx, clean, null, by.network)
  })
}

async function write(
  world: World,
  tx: Transaction,
  report: FeedbackReport,
  agentId: string | null,
  countedAs: string,
): Promise<Given> {
  const standing = await countAgainst(feedbackLimit(agentId !== null), world, tx, countedAs)
  const now = world.clock.now()
  const state = { status: 'received', note: null, createdAt: now, updatedAt: now } as const
  const feedback: Feedback = { ...report, ...state, id: newId(world, 'fb'), agentId }
  await tx.insertFeedback(feedback)
  return { feedback, standing }
}

export const feedbackLimit = (signed: boolean) => limitFor(endpoints.giveFeedback.limit, signed)
