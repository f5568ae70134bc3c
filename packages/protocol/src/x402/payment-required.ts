import type { Hex } from '../hex.ts'
import { limits } from '../limits.ts'
import type { PaymentRequired, PaymentRequirements } from '../schemas/payment.ts'
import { ONE_USDC } from '../usdc.ts'
import { encodeHeaderJson } from './header-json.ts'
import { THIRD_MAINNET } from './networks.ts'

/** The content of a PAYMENT-RESPONSE header; `transaction` is empty when there is none. */
export type PaymentResponse = {
  readonly success: boolean
  readonly errorReason?: string
  readonly payer: Hex
  readonly transaction: Hex | ''
  readonly network: string
  readonly amount?: string
}

const DESCRIPTION_CHARACTERS = 300

export function paymentRequirements(price: {
  readonly network: string
  readonly asset: Hex
  /** The token's EIP-712 domain. */
  readonly domain: { readonly name: string; readonly version: string }
  readonly payTo: Hex
  readonly amount: bigint
}): PaymentRequirements {
  const { network, asset, domain, payTo, amount } = price
  return {
    scheme: 'exact',
    network,
    amount: String(amount),
    asset,
    payTo,
    maxTimeoutSeconds: limits.payment.maxTimeoutSeconds,
    extra: { name: domain.name, version: domain.version },
  }
}

/** The body of a 402 and, encoded, its PAYMENT-REQUIRED header, which must stay below 4 KB. */
export function paymentRequired(offer: {
  readonly url: string
  readonly description: string
  readonly accepts: readonly PaymentRequirements[]
  readonly error?: string
  readonly extensions?: PaymentRequired['extensions']
}): PaymentRequired {
  const { url, accepts, error, extensions } = offer
  const described = offer.description.slice(0, DESCRIPTION_CHARACTERS).replace(/[^\x20-\x7e]/g, '?')
  const description = [described, adviceForStockClients(accepts)].filter((part) => part !== '').join(' ')
  const resource = { url, description, mimeType: 'application/json' }
  return {
    x402Version: 2,
    ...(error === undefined ? {} : { error }),
    resource,
    accepts: [...accepts],
    ...(extensions === undefined ? {} : { extensions }),
  }
}

export const encodePaymentResponse = (response: PaymentResponse): string => encodeHeaderJson(response)

/** The official client refuses more than one dollar, and unknown tokens, unless it is configured otherwise. */
function adviceForStockClients(accepts: readonly PaymentRequirements[]): string {
  const unknownToken = accepts.find(({ network }) => network === THIRD_MAINNET.id)
  const large = accepts.some(({ amount }) => BigInt(amount) > ONE_USDC)
  if (!large && unknownToken === undefined) return ''
  const cap = 'maxAmountPerPayment: "$1000"'
  const allowed = `allowedAssets: [{ network: "${unknownToken?.network}", asset: "${unknownToken?.asset}" }]`
  const controls = unknownToken === undefined ? cap : `${cap}, ${allowed}`
  return `With an x402 client, first call client.setSpendControls({ ${controls} }).`
}
