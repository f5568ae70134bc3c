import { limits } from '../limits.ts'
import { isNonce } from './agent-signature.ts'

const WALLET = /^0x[0-9a-f]{40}$/
const NETWORK = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const ISSUED = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/

/** The last lines of every statement that a wallet signs. */
export type StatementEnd = {
  readonly wallet: string
  readonly network: string
  /** Unix seconds. */
  readonly issuedAt: number
  readonly nonce: string
}

/** A title and `Label: value` lines joined by LF, without a trailing LF. */
export function writeLines(title: string, lines: Readonly<Record<string, string>>): string {
  return [title, ...Object.entries(lines).map(([label, value]) => `${label}: ${value}`)].join('\n')
}

/** The values of exactly these labels in exactly this order, or null. */
export function readLines<Label extends string>(
  message: string,
  title: string,
  labels: readonly Label[],
): Readonly<Record<Label, string>> | null {
  if (message.length > limits.walletProof.message) return null
  const [first, ...lines] = message.split('\n')
  if (first !== title || lines.length !== labels.length) return null
  const values: [Label, string][] = []
  for (const [i, label] of labels.entries()) {
    const start = `${label}: `
    const line = lines[i] ?? ''
    if (!line.startsWith(start)) return null
    values.push([label, line.slice(start.length)])
  }
  return Object.fromEntries(values) as Record<Label, string>
}

export const END_LABELS = ['Wallet', 'Network', 'Issued', 'Nonce'] as const

export function writeEnd({ wallet, network, issuedAt, nonce }: StatementEnd): Readonly<Record<string, string>> {
  return { Wallet: wallet.toLowerCase(), Network: network, Issued: formatIssued(issuedAt), Nonce: nonce }
}

export function readEnd(values: Readonly<Record<(typeof END_LABELS)[number], string>>): StatementEnd | null {
  const issuedAt = parseIssued(values.Issued)
  if (!WALLET.test(values.Wallet) || !NETWORK.test(values.Network) || issuedAt === null) return null
  if (!isNonce(values.Nonce)) return null
  return { wallet: values.Wallet, network: values.Network, issuedAt, nonce: values.Nonce }
}

/** `YYYY-MM-DDTHH:MM:SSZ` of unix seconds. */
function formatIssued(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`
}

/** Unix seconds of a real date in exactly that form, or null: no fractions, offsets, 24:00 or 30 February. */
export function parseIssued(text: string): number | null {
  if (!ISSUED.test(text)) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return null
  return formatIssued(ms / 1000) === text ? ms / 1000 : null
}
