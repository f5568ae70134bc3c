import { MINUTE, SECOND } from '@guildhall/protocol'
import {
  type Authorization,
  type Facilitator,
  type Hex,
  type HttpAnswer,
  readSettleAnswer,
  readVerifyAnswer,
} from '@guildhall/server/parts'
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

/** The facilitator, shared by all nodes; what it has sent stays sent, even if a node crashes. */
export type FacilitatorState = {
  mood: Mood
  /** Called whenever a node asks for a settlement. */
  readonly onSettle: ((authorization: Authorization) => void)[]
}

const VERIFY_TIMEOUT_MS = 10 * SECOND
const SETTLE_TIMEOUT_MS = 30 * SECOND
const MARGIN_SECONDS = 6n

/** Gives every answer that a facilitator can give, true or not; it is parsed like one from the network. */
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
  function settle(authorization: Authorization, signature: Hex): { after: number; answer: HttpAnswer } {
    const { mood } = state
    const soon = chance.below(200)
    const unknown = (cause: string, after = soon) => ({ after, answer: { kind: 'failed', cause } as const })
    const rejected = (errorReason: string) => ({ after: soon, answer: said({ success: false, errorReason }) })
    const pending = (transaction: Hex | null) => ({
      after: soon,
      answer: said({ success: false, errorReason: 'settlement_pending', transaction }),
    })
    if (mood === 'down') return unknown('the facilitator cannot be reached')
    if (mood === 'broken') return unknown('the facilitator answers with 500')
    if (mood === 'lies settled')
      return { after: soon, answer: said({ success: true, transaction: noSuchHash(chance) }) }
    const problem = problemOf(authorization, signature)
    if (problem !== null) return rejected(problem)
    switch (mood) {
      case 'reverts':
        return rejected('invalid_exact_evm_transaction_failed')
      case 'drops':
        return pending(noSuchHash(chance))
      case 'pending':
        return pending(send(authorization, chance.below(5 * MINUTE)))
      case 'late':
        send(authorization, chance.below(90 * MINUTE))
        return unknown('settlement timed out', SETTLE_TIMEOUT_MS)
      case 'timeout':
        if (chance.happens(0.5)) send(authorization, 0)
        return unknown('settlement timed out', SETTLE_TIMEOUT_MS)
    }
    const transaction = send(authorization, 0)
    if (chance.happens(0.7)) mine(authorization)
    if (mood === 'response lost') return unknown('the connection was lost')
    if (mood === 'lies failed') return rejected('invalid_exact_evm_transaction_failed')
    const after = mood === 'slow' ? chance.below(SETTLE_TIMEOUT_MS) : soon
    return transaction === null ? unknown('no such network') : { after, answer: said({ success: true, transaction }) }
  }

  function verify(authorization: Authorization, signature: Hex): HttpAnswer {
    const { mood } = state
    if (mood === 'down' || mood === 'broken' || mood === 'timeout') return { kind: 'failed', cause: 'no answer' }
    const invalidReason = mood === 'lies settled' ? null : problemOf(authorization, signature)
    if (invalidReason !== null) return said({ isValid: false, invalidReason })
    return said({ isValid: true, payer: authorization.from })
  }

  return {
    async verify({ authorization, signature }) {
      const answer = await scheduler.step(life, 'verify', () => verify(authorization, signature))
      const outcome = readVerifyAnswer(answer, authorization.from)
      if (outcome.kind === 'unavailable' && chance.happens(0.3)) await scheduler.pause(life, VERIFY_TIMEOUT_MS)
      return outcome
    },
    async settle({ authorization, signature }) {
      for (const watch of state.onSettle) watch(authorization)
      const { after, answer } = await scheduler.step(life, 'settle', () => settle(authorization, signature))
      const outcome = readSettleAnswer(answer)
      const words = outcome.kind === 'rejected' ? outcome.reason : outcome.kind
      tell(
        () =>
          `the facilitator, ${state.mood}, says to ${life.name} of nonce ${authorization.nonce.slice(2, 10)}: ${words}`,
      )
      await scheduler.pause(life, after)
      return outcome
    },
  }
}

const said = (body: object): HttpAnswer => ({ kind: 'answered', status: 200, body })

const noSuchHash = (chance: Chance): Hex => `0x${Buffer.from(chance.bytes(32)).toString('hex')}`
