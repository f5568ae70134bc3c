/** What a 402 asks for, as far as it is read here; the payment repeats all of it. */
export type Terms = {
  readonly scheme: string
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string }
}

/** A network as the page knows it: enough to show it, and to add it to a wallet. */
export type ChainInfo = {
  readonly network: string
  readonly name: string
  readonly rpcUrl: string | null
  readonly currency: string
}

/** The first way to pay, if it is one that can be signed here and asks for exactly what the page has shown. */
export function termsIn(answer: unknown, expected: { readonly amount: string; readonly network: string }): Terms {
  const [terms] = (answer as { readonly accepts?: readonly Terms[] }).accepts ?? []
  if (terms?.scheme !== 'exact' || !/^eip155:[1-9]\d*$/.test(terms.network))
    throw new Error('The service asked for a kind of payment that this page cannot make.')
  if (terms.amount !== expected.amount || terms.network !== expected.network)
    throw new Error(
      'The service asked for something else than this page shows. Nothing was signed; load the page again.',
    )
  return terms
}

export const chainIdOf = ({ network }: Pick<Terms, 'network'>): number => Number(network.slice('eip155:'.length))

/** Atomic units as USDC, with at least two decimals. */
export function usdcOf(amount: string): string {
  const digits = amount.padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${digits.slice(0, -6)}.${decimals}`
}

/** USDC as typed, in atomic units; null when it is not an amount. */
export function atomicOf(usdc: string): string | null {
  const [, whole = '', decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usdc.trim()) ?? []
  return whole === '' ? null : (whole + decimals.padEnd(6, '0')).replace(/^0+(?=\d)/, '')
}
