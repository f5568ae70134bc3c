import type { Wallet } from './payment/wallet.ts'
import { type Sleep, sleep } from './sleep.ts'

export type GuildhallOptions = {
  /** The address of the service, such as `http://127.0.0.1:8787`. */
  readonly baseUrl: string
  /** The 32 secret bytes of the agent's Ed25519 key; needed for everything that is signed. */
  readonly key?: Uint8Array | undefined
  /** Pays: for instance an account of viem. */
  readonly wallet?: Wallet | undefined
  /** The most that any one call may pay, in USDC, such as `5` or `2.50`. Without a limit nothing is paid. */
  readonly maxUsdc?: string | undefined
  /** The token that counts as USDC on networks that this package does not know. */
  readonly usdcContracts?: Readonly<Record<string, string>> | undefined
  /** The name in the texts that wallets sign. */
  readonly serviceName?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** The local time in milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  /** Waits before the next attempt; should end early when the signal is aborted. */
  readonly sleep?: Sleep | undefined
  /** Jitter for waiting times; from 0 up to 1. */
  readonly random?: (() => number) | undefined
  /** The longest time for one attempt. */
  readonly timeoutMs?: number | undefined
  /** The most attempts at a request, when sending it again is safe. */
  readonly attempts?: number | undefined
}

/** The options with defaults filled in. */
export type Settings = ReturnType<typeof settingsFrom>

export function settingsFrom(options: GuildhallOptions) {
  return {
    baseUrl: originOf(options.baseUrl),
    key: options.key,
    wallet: options.wallet,
    maxUsdc: options.maxUsdc,
    usdcContracts: options.usdcContracts ?? {},
    serviceName: options.serviceName ?? 'Guildhall',
    // Called without a receiver: a browser's fetch accepts only the window.
    fetch: options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
    clock: options.clock ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    // Less than a signature's 60 seconds, so that a lost request can still be sent again.
    timeoutMs: options.timeoutMs ?? 25_000,
    attempts: options.attempts ?? 4,
  } as const
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    const wrong = JSON.stringify(baseUrl)
    throw new TypeError(
      `baseUrl is http or https, host and port, not ${wrong}: paths are signed from the root of the service`,
    )
  }
  return url.origin
}
