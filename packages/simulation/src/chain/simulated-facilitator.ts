import { MINUTE, SECOND } from '@guildhall/protocol'
import type { Authorization, Facilitator, Hex, SettleOutcome, VerifyOutcome } from '@guildhall/server/parts'
import type { Chance } from '../time/chance.ts'
import type { Life, Scheduler } from '../time/scheduler.ts'
import { isSignedBy } from './signatures.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** How a facilitator behaves; `ok` is as it should. */
export const MOODS = [
  'ok',
  'down',
  'slow',
  'response lost',
  'lies settled',
  'lies failed',
  'reverts',
  'pending',
  'drops',
  'late',
  'timeout',
  'broken',
] as const
export type Mood = (typeof MOODS)[number]

/** The facilitator, which all nodes share; what it has sent stays sent, whoever crashes. */
export type FacilitatorState = { mood: Mood }

const VERIFY_TIMEOUT_MS = 10 * SECOND
const SETTLE_TIMEOUT_MS = 30 * SECOND
const MARGIN_SECONDS = 6n

/** Gives every answer that a facilitator can give, be it true or not. */
export function createFacilitator(
  scheduler: Scheduler,
  chance: Chance,
  life: Life,
  chains: ReadonlyMap<string, SimulatedChain>,
  state: FacilitatorState,
  tell: (words: () => string) => void,
): Facilitator {
  const seconds = () => BigInt(Math.floor(scheduler.now() / 1000))

  function problemOf(authorization: Authorization, signature: Hex): string | null {
    const chain = chains.get(authorization.network)
    if (!chain) return 'invalid_network'
    const { from, nonce, value, validAfter, validBefore } = authorization
    const head = chain.head().number
    if (!isSignedBy(from, authorization, signature)) return 'invalid_exact_evm_signature'
    if (chain.spendingAt(from, nonce, head)) return 'invalid_exact_evm_nonce_already_used'
    if (validBefore <= seconds() + MARGIN_SECONDS) return 'invalid_exact_evm_payload_authorization_valid_before'
    if (validAfter >= seconds()) return 'invalid_exact_evm_payload_authorization_valid_after'
    return chain.balanceAt(from, head) < value ? 'invalid_exact_evm_insufficient_balance' : null
  }

  const send = (authorization: Authorization, delayMs: number): Hex | null =>
    chains.get(authorization.network)?.send('authorized', authorization, scheduler.now() + delayMs) ?? null
  const mine = (authorization: Authorization) => chains.get(authorization.network)?.mine()

  /** What happens at the facilitator and on chain, how long the answer takes, and the answer. */
  function settle(authorization: Authorization, signature: Hex): { after: number; answer: SettleOutcome } {
    const { mood } = state
    const soon = chance.below(200)
    const unknown = (cause: string, after = soon) => ({ after, answer: { kind: 'unknown', cause } as const })
    const rejected = (reason: string) => ({ after: soon, answer: { kind: 'rejected', reason } as const })
    if (mood === 'down') return unknown('the facilitator cannot be reached')
    if (mood === 'broken') return unknown('the facilitator answers with 500')
    if (mood === 'lies settled') return { after: soon, answer: { kind: 'settled', txHash: noSuchHash(chance) } }
    const problem = problemOf(authorization, signature)
    if (problem !== null) return rejected(problem)
    switch (mood) {
      case 'reverts':
        return rejected('invalid_exact_evm_transaction_failed')
      case 'drops':
        return { after: soon, answer: { kind: 'pending', txHash: noSuchHash(chance) } }
      case 'pending':
        return { after: soon, answer: { kind: 'pending', txHash: send(authorization, chance.below(5 * MINUTE)) } }
      case 'late':
        send(authorization, chance.below(90 * MINUTE))
        return unknown('settlement timed out', SETTLE_TIMEOUT_MS)
      case 'timeout':
        if (chance.happens(0.5)) send(authorization, 0)
        return unknown('settlement timed out', SETTLE_TIMEOUT_MS)
    }
    const txHash = send(authorization, 0)
    if (chance.happens(0.7)) mine(authorization)
    if (mood === 'response lost') return unknown('the connection was lost')
    if (mood === 'lies failed') return rejected('invalid_exact_evm_transaction_failed')
    const after = mood === 'slow' ? chance.below(SETTLE_TIMEOUT_MS) : soon
    return txHash === null ? unknown('no such network') : { after, answer: { kind: 'settled', txHash } }
  }

  function verify(authorization: Authorization, signature: Hex): VerifyOutcome {
    const { mood } = state
    if (mood === 'down' || mood === 'broken' || mood === 'timeout') return { kind: 'unavailable', cause: 'no answer' }
    const problem = mood === 'lies settled' ? null : problemOf(authorization, signature)
    if (problem !== null) return { kind: 'invalid', reason: problem }
    return { kind: 'valid', payer: mood === 'lies settled' ? STRANGER : authorization.from }
  }

  return {
    async verify({ authorization, signature }) {
      const outcome = await scheduler.step(life, 'verify', () => verify(authorization, signature))
      if (outcome.kind === 'unavailable' && chance.happens(0.3)) await scheduler.pause(life, VERIFY_TIMEOUT_MS)
      return outcome
    },
    async settle({ authorization, signature }) {
      const { after, answer } = await scheduler.step(life, 'settle', () => settle(authorization, signature))
      const said = answer.kind === 'rejected' ? answer.reason : answer.kind
      tell(
        () =>
          `the facilitator, ${state.mood}, says to ${life.name} of nonce ${authorization.nonce.slice(2, 10)}: ${said}`,
      )
      await scheduler.pause(life, after)
      return answer
    },
  }
}

const STRANGER: Hex = `0x${'5'.repeat(40)}`

const noSuchHash = (chance: Chance): Hex => `0x${Buffer.from(chance.bytes(32)).toString('hex')}`
