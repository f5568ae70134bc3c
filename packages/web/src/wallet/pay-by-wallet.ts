import { type Answer, callService, type ServiceCall } from './call-service.ts'
import type { PayPanel } from './pay-panel.ts'
import { codeOf, prepareWallet } from './prepare-wallet.ts'
import { signPayment } from './sign-payment.ts'
import { type ChainInfo, termsIn } from './terms.ts'
import type { Unanswered, UnansweredStore } from './unanswered.ts'
import { knownWallets } from './wallets.ts'
import { isElsewhere, wordsIn } from './words-in.ts'

export type Purchase = {
  readonly call: ServiceCall
  /** A required field that is missing, in words; nothing is sent until it is filled in. */
  readonly problem: string | null
  /** What the page has shown to the person; nothing else is signed. */
  readonly expected: { readonly amount: string; readonly network: string }
  readonly payee: string
  readonly chains: readonly ChainInfo[]
  /** The service's time. */
  readonly now: () => number
}

const DECLINED = 4001

/**
 * Asks for the price, shows it, has a wallet sign it, and sends it. Returns the task's id, or null if the person chooses not to
 * pay. Once a payment is signed, no second one is asked for here.
 */
export async function payByWallet(
  purchase: Purchase,
  panel: PayPanel,
  unanswered: UnansweredStore,
): Promise<string | null> {
  const { call, problem, expected, payee, chains, now } = purchase
  const before = unanswered.get()
  if (before !== null && isSame(before.call, call)) return goOn(before, call.csrf, panel, unanswered)
  if (problem !== null) throw new Error(problem)
  if (expected.amount === '') throw new Error('The bounty is an amount of USDC with at most 6 decimals, such as 2.50.')
  panel.say('Asking for the price …')
  const first = await callService(call, null)
  if (first.status !== 402) return taskIn(first.body)
  const terms = termsIn(first.body, expected)
  const wallets = knownWallets()
  if (wallets.length === 0)
    throw new Error('No wallet was found in this browser. Install one that pays with USDC, or open this page in it.')
  const chain = chains.find(({ network }) => network === terms.network) ?? null
  const wallet = await panel.offer(terms, chain, payee, wallets)
  panel.close()
  if (wallet === null) return null
  panel.say(`${wallet.name} asks you to sign …`)
  const payer = await prepareWallet(wallet.provider, terms, chain).catch(inWords)
  const payment = await signPayment(wallet.provider, payer, terms, now()).catch(inWords)
  return finish({ call, payment }, panel, unanswered)
}

/** Sends a signed payment again, from a page that may have been loaded since. */
export const goOn = (
  { call, payment }: Unanswered,
  csrf: string,
  panel: PayPanel,
  unanswered: UnansweredStore,
): Promise<string> => finish({ call: { ...call, csrf }, payment }, panel, unanswered)

async function finish(paid: Unanswered, panel: PayPanel, unanswered: UnansweredStore): Promise<string> {
  panel.say('Signed. The payment is on its way to the chain …')
  unanswered.set(paid)
  const answer = await callService(paid.call, paid.payment)
  if (!isFinal(answer)) throw new Error(`${wordsIn(answer.body)} ${isElsewhere(answer.body) ? THEN_GO_ON : NOT_TWICE}`)
  unanswered.set(null)
  return taskIn(answer.body)
}

const NOT_TWICE = 'Press the button again to go on with the payment that you have signed: nothing is paid twice.'

const THEN_GO_ON = 'It then goes on with the payment that you have signed: nothing is paid twice.'

/** Refused before the payment was looked at, because of who is asking or how often. */
const LOOKED_AT_NOTHING: readonly number[] = [401, 403, 429]

/**
 * Whether the answer says what became of the payment. A fault does not, and neither does a refusal before the payment was
 * looked at: an earlier attempt whose answer was lost may have been carried out.
 */
const isFinal = ({ status, body }: Answer): boolean =>
  status < 500 && !LOOKED_AT_NOTHING.includes(status) && body.error !== 'idempotency_in_progress'

const isSame = (one: ServiceCall, other: ServiceCall): boolean =>
  one.path === other.path && JSON.stringify(one.body) === JSON.stringify(other.body)

/** A payment that is already on record has done what it was for. */
function taskIn(body: Readonly<Record<string, unknown>>): string {
  if (typeof body.task_id === 'string' && (body.ok === true || body.error === 'authorization_reused'))
    return body.task_id
  throw new Error(wordsIn(body))
}

function inWords(error: unknown): never {
  if (codeOf(error) === DECLINED) throw new Error('You declined in the wallet. Nothing was paid.')
  const { message } = (error ?? {}) as { readonly message?: unknown }
  throw new Error(`The wallet could not sign, and nothing was paid: ${String(message ?? error)}`)
}
