import { formatUsdc, limits } from '@guildhall/protocol'
import { unixSeconds } from '../../domain/instant.ts'
import type { Bounty } from '../../domain/task/task.ts'
import type { Authorization, Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { servedNetwork } from '../money/served-network.ts'
import type { TakenPayment } from '../money/take-payment.ts'

export type HouseDeposits =
  | { readonly kind: 'signed'; readonly payments: readonly TakenPayment[] }
  /** Nothing was signed: an operator must act, or the problem passes by itself. */
  | { readonly kind: 'trouble'; readonly why: string }

const trouble = (why: string): HouseDeposits => ({ kind: 'trouble', why })

/** Whether the house can pay for test runs at all. */
export const canPayForTests = ({ houseWallet, escrow, rules }: World): boolean =>
  rules.paymentsEnabled &&
  houseWallet !== null &&
  escrow !== null &&
  servedNetwork(rules, rules.testing.network) !== undefined

/** Signs `count` deposits of the same bounty from the house's own wallet: real ones, like anybody's. */
export async function signHouseDeposits(
  world: World,
  count: number,
  { network, amount }: Bounty,
): Promise<HouseDeposits> {
  const { houseWallet, escrow, rules, chain } = world
  const served = servedNetwork(rules, network)
  if (houseWallet === null || escrow === null) return trouble('the house has no wallet to pay from')
  if (!served) return trouble(`${network}, where the bounty is, is not served`)
  const { usdc } = served
  const [head, held] = await Promise.all([chain.head(network), chain.balanceOf(network, houseWallet.address)])
  if (head.kind === 'unreachable' || held.kind === 'unreachable') return trouble('the chain cannot be reached')
  const needed = amount * BigInt(count)
  if (held.atomic < needed) {
    const [has, wants] = [formatUsdc(held.atomic), formatUsdc(needed)]
    return trouble(`the house wallet ${houseWallet.address} holds ${has} USDC on ${network}, but ${wants} are needed`)
  }
  const payments: TakenPayment[] = []
  for (let place = 0; place < count; place++) {
    const authorization: Authorization = {
      network,
      asset: usdc.toLowerCase() as Hex,
      from: houseWallet.address,
      to: escrow.address,
      value: amount,
      validAfter: 0n,
      validBefore: BigInt(unixSeconds(world.clock.now()) + limits.payment.maxTimeoutSeconds),
      nonce: `0x${Buffer.from(world.random.bytes(32)).toString('hex')}`,
    }
    const outcome = await houseWallet.sign({ transferId: 'house deposit', authorization })
    if (outcome.kind === 'refused') return trouble(`the house wallet did not sign: ${outcome.reason}`)
    payments.push({ authorization, signature: outcome.signature, fromBlock: head.number })
  }
  return { kind: 'signed', payments }
}
