import { DAY, limits } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Assignment } from '../../domain/verification/verification.ts'
import { whyNotVerify } from '../../domain/verification/why-not-verify.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { changeOf } from '../signed-change.ts'

export type Assigned = { readonly assignment: Assignment; readonly target: Agent }

const { deadlineMs, sameTargetMs, perDay } = limits.verification
const NONCE_BYTES = 24

/**
 * Returns the verifier's open assignment, or a new one with another target. An assignment without a report still counts: its
 * target is not drawn again within 24 hours, and it counts towards the daily limit, so that nobody can redraw until they like the
 * target.
 */
export const assignVerification = (world: World, caller: Caller): Promise<Assigned> =>
  changeOf(world, async (tx) => {
    const now = world.clock.now()
    const verifier = await eligibleVerifier(world, tx, caller)
    const last = await tx.assignmentOf(verifier.id)
    if (last && now < last.deadline && (await canBeDrawn(tx, last, now))) return withTarget(tx, last)
    if (last) await tx.noteUnreported(last, last.drawnAt + sameTargetMs)
    await refuseTooMany(tx, verifier, now)
    const assignment: Assignment = {
      id: world.random.uuid(),
      verifierId: verifier.id,
      targetId: await drawTarget(world, tx, verifier.id),
      nonce: Buffer.from(world.random.bytes(NONCE_BYTES)).toString('base64url'),
      deadline: now + deadlineMs,
      drawnAt: now,
    }
    await tx.saveAssignment(assignment)
    return withTarget(tx, assignment)
  })

/** The verifier's row is locked, so that two concurrent calls draw once. */
async function eligibleVerifier(world: World, tx: Transaction, caller: Caller): Promise<Agent> {
  const agent = (await tx.lockAgent(caller.agent.id)) ?? refuse('unknown_agent')
  const reputation = (await tx.reputation(agent.id)) ?? refuse('unknown_agent')
  const { agents } = await tx.statusCounts()
  const refused = whyNotVerify({ agent, reputation, agents: agents.total - 1, now: world.clock.now() })
  if (refused) throw refused
  return agent
}

async function refuseTooMany(tx: Transaction, verifier: Agent, now: number): Promise<void> {
  if (verifier.house || (await tx.givenSince(verifier.id, now - DAY)) < perDay) return
  refuse('no_assignment', {}, `An agent is given at most ${perDay} others in 24 hours. Ask again later.`)
}

const canBeDrawn = (tx: Transaction, { verifierId, targetId }: Assignment, now: number): Promise<boolean> =>
  tx.canBeDrawn(verifierId, now - sameTargetMs, targetId)

async function withTarget(tx: Transaction, assignment: Assignment): Promise<Assigned> {
  return { assignment, target: (await tx.agent(assignment.targetId)) ?? refuse('no_assignment') }
}

const DRAWS = 32
const WORD = 2 ** 32

/**
 * Every drawable agent has the same chance. DRAWS random numbers are tried; if none is drawable, one is picked from the list of
 * all drawable agents.
 */
async function drawTarget(world: World, tx: Transaction, verifierId: string): Promise<string> {
  const since = world.clock.now() - sameTargetMs
  const highest = await tx.highestNumber()
  const chances = new Uint32Array(world.random.bytes(4 * (DRAWS + 1)).slice().buffer)
  const numbers = Array.from(chances.subarray(1), (chance) => 1 + Math.floor((chance / WORD) * highest))
  const drawn = await tx.drawTarget(verifierId, since, numbers)
  if (drawn !== null) return drawn
  return (await tx.drawFromAll(verifierId, since, (chances[0] ?? 0) / WORD)) ?? refuse('no_assignment')
}
