import { limits, tokenDomain, typedTransfer } from '@guildhall/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import type { Authorization, Hex } from '../domain/transfer/transfer.ts'
import type { Clock } from '../ports/clock.ts'
import type { EscrowSigner } from '../ports/escrow-signer.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import { createHourlyAllowance } from './hourly-allowance.ts'

/**
 * The escrow key in this process. It signs only transfers of our token from its own wallet, with a limited amount and validity.
 */
export function createLocalEscrowSigner(options: {
  readonly privateKey: Hex
  readonly networks: readonly ServedNetwork[]
  readonly maxPayoutAtomic: bigint
  readonly maxPerHourAtomic?: bigint
  readonly clock: Clock
}): EscrowSigner {
  const { networks, maxPayoutAtomic, maxPerHourAtomic, clock } = options
  const account = accountOf(options.privateKey)
  const address = account.address.toLowerCase() as Hex
  const allowance = createHourlyAllowance(maxPerHourAtomic ?? null)

  return {
    address,
    async sign({ authorization }) {
      const now = clock.now()
      const served = networks.find(({ network }) => network === authorization.network)
      if (!served) return refused('network_not_served')
      const reason =
        wrongWay(authorization, address, served) ??
        wrongSize(authorization.value, maxPayoutAtomic) ??
        wrongTime(authorization, now)
      if (reason !== null) return refused(reason)
      if (!allowance.take(`${authorization.network} ${authorization.nonce.toLowerCase()}`, authorization.value, now)) {
        return refused('hourly_cap_reached')
      }
      const domain = tokenDomain({ network: served.network, asset: served.usdc, ...served.domain })
      return { kind: 'signed', signature: await account.signTypedData(typedTransfer(authorization, domain)) }
    },
  }
}

/** An error from here must not show the key. */
function accountOf(privateKey: Hex) {
  try {
    return privateKeyToAccount(privateKey)
  } catch {
    throw new Error('The escrow key is not a private key: 0x and 64 hexadecimal digits are needed.')
  }
}

function wrongWay({ asset, from, to, nonce }: Authorization, escrow: Hex, { usdc }: ServedNetwork): string | null {
  if (asset.toLowerCase() !== usdc.toLowerCase()) return 'token_not_served'
  if (from.toLowerCase() !== escrow) return 'not_from_escrow'
  if (!/^0x[0-9a-fA-F]{40}$/.test(to) || /^0x0{40}$/.test(to)) return 'recipient_not_allowed'
  if ([escrow, usdc.toLowerCase()].includes(to.toLowerCase())) return 'recipient_not_allowed'
  return /^0x[0-9a-fA-F]{64}$/.test(nonce) ? null : 'nonce_malformed'
}

function wrongSize(value: bigint, max: bigint): string | null {
  if (value <= 0n) return 'amount_not_positive'
  return value > max ? 'payout_cap_exceeded' : null
}

function wrongTime({ validAfter, validBefore }: Authorization, now: number): string | null {
  const second = BigInt(Math.floor(now / 1000))
  const latest = second + BigInt(limits.payment.maxAheadSeconds)
  return validAfter > second || validBefore <= second || validBefore > latest ? 'validity_out_of_range' : null
}

const refused = (reason: string) => ({ kind: 'refused', reason }) as const
