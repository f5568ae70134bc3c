import { type ChainFault, chainVerifier, limits } from '@guildhall/protocol'
import type { Answer, Call, CallOptions } from './call-types.ts'
import { inForm } from './in-form.ts'
import { PublishedCheckpoints, PublishedEntry, PublishedPage } from './published.ts'

type Entry = Answer<'getEntry'>

export type ChainVerdict = {
  /** The number of valid entries, from the first. */
  readonly verified: number
  /** The last of them that a signed checkpoint covers. The registry attests at least every 1,000 entries. */
  readonly attested: number
  /** The key in the first entry, in base58. Compare it with one that you know: a forged ledger holds under another key. */
  readonly registryKey: string | null
  readonly rootHash: string
  readonly fault: ChainFault | null
}

/** The ledger. */
export const chainOf = (call: Call) => ({
  latest: (options?: CallOptions) => call('latestEntry', options),
  entry: async (sequence: number, options?: CallOptions) =>
    inForm(PublishedEntry, await call('getEntry', { params: { sequence }, ...options })),
  /** Entries in order, including `to`; without it, up to the newest one. */
  range: (from = 1, to?: number, options?: CallOptions) => range(call, from, to, options),
  /** The same page by page, each with its checkpoints, but none beyond the last entry of the range; a short page is the last. */
  pages: (from = 1, to?: number, options?: CallOptions) => pages(call, from, to, options),
  /** Reads the whole ledger and checks every link, hash and signed checkpoint of it, and that nothing was left out. */
  verify: (options?: CallOptions) => verify(call, options),
})

type ChainPage = Pick<Answer<'listChain'>, 'entries' | 'checkpoints'>

async function* range(...asked: Parameters<typeof pages>): AsyncGenerator<Entry, void, undefined> {
  for await (const { entries } of pages(...asked)) yield* entries
}

async function* pages(
  call: Call,
  from: number,
  to?: number,
  options: CallOptions = {},
): AsyncGenerator<ChainPage, void, undefined> {
  const last = to ?? (await call('latestEntry', options)).sequence
  for (let first = from; first <= last; first += limits.chain.max) {
    const query = { from: first, to: Math.min(last, first + limits.chain.max - 1), limit: limits.chain.max }
    const { entries, checkpoints } = inForm(PublishedPage, await call('listChain', { query, ...options }))
    yield { entries, checkpoints: checkpoints.filter(({ sequence }) => sequence <= last) }
    // The ledger ends here, whatever the service has said: asking on for entries that it does not show could take for ever.
    if (entries.length <= query.to - query.from) return
  }
}

async function verify(call: Call, options: CallOptions = {}): Promise<ChainVerdict> {
  const newest = inForm(PublishedCheckpoints, await call('latestEntry', options))
  const verifier = chainVerifier(newest.checkpoints, { isAttested: true })
  let fault: ChainFault | null = null
  for await (const page of pages(call, 1, newest.sequence, options)) {
    fault = verifier.attest(page.checkpoints)
    for (const entry of page.entries) fault ??= verifier.add(entry)
    if (fault !== null) break
  }
  fault ??= verifier.finish(newest)
  return {
    verified: verifier.verified(),
    attested: verifier.attested(),
    registryKey: verifier.registryKey(),
    rootHash: verifier.rootHash(),
    fault,
  }
}
