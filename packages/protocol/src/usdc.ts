/** Millionths of a USDC. */
export type AtomicUsdc = bigint

/** One USDC has 10 to the power of this many atomic units. */
export const USDC_DECIMALS = 6
export const ONE_USDC: AtomicUsdc = 10n ** BigInt(USDC_DECIMALS)
const SHOWN_DECIMALS = 2
const DECIMAL_USDC = /^([0-9]{1,9})(?:\.([0-9]{1,6}))?$/
const ATOMIC_USDC = /^(?:0|[1-9][0-9]{0,14})$/

/** Reads `12`, `12.5` or `12.345678` (or a JSON number that is written so): no sign, exponent or space; else null. */
export function parseUsdc(value: string | number): AtomicUsdc | null {
  const [, whole, fraction = ''] = DECIMAL_USDC.exec(String(value)) ?? []
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0'))
}

/** The canonical text of an amount: at least two decimals, more only while they are not zero (`5.00`, `0.10`, `0.123`). */
export function formatUsdc(atomic: AtomicUsdc): string {
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(USDC_DECIMALS + 1, '0')
  const fraction = digits.slice(-USDC_DECIMALS).replace(/0+$/, '').padEnd(SHOWN_DECIMALS, '0')
  return `${atomic < 0n ? '-' : ''}${digits.slice(0, -USDC_DECIMALS)}.${fraction}`
}

/** Atomic units as JSON holds them: a decimal string of at most 15 digits. */
export function parseAtomic(text: string): AtomicUsdc | null {
  return ATOMIC_USDC.test(text) ? BigInt(text) : null
}
