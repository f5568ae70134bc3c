import { chainVerifier, type LedgerEntry, type SignedCheckpoint } from '@guildhall/protocol'
import type { Stage } from '../stage/start-stage.ts'
import type { Span } from './span.ts'

const A_PAGE = 1_000
const AIM = 50_000

/** The whole ledger, read page by page from public answers and checked from its genesis; only the check is timed. */
export async function ledgerVerify({ large }: Stage): Promise<Span> {
  const { checkpoints, entries } = await readLedger(large.server.url)
  const began = performance.now()
  const verifier = chainVerifier(checkpoints)
  for (const entry of entries) verifier.add(entry)
  const fault = verifier.finish()
  const rate = entries.length / ((performance.now() - began) / 1_000)
  if (fault !== null) throw new Error(`The ledger does not hold at entry ${fault.sequence}: ${fault.reason}.`)
  return {
    name: `ledger of ${entries.length.toLocaleString('en')} entries and ${checkpoints.length} checkpoints verified`,
    measured: `${Math.round(rate).toLocaleString('en')} entries/s`,
    aim: `≥ ${AIM.toLocaleString('en')} entries/s`,
    reached: rate >= AIM,
  }
}

type Page = { readonly entries: readonly LedgerEntry[]; readonly checkpoints: readonly SignedCheckpoint[] }

async function readLedger(url: string) {
  const read = async (path: string) => (await fetch(`${url}${path}`)).json()
  const { sequence } = (await read('/v1/chain/latest')) as { readonly sequence: number }
  const checkpoints = new Map<number, SignedCheckpoint>()
  const entries: LedgerEntry[] = []
  while (entries.length < sequence) {
    const from = entries.length + 1
    const page = await read(`/v1/chain?limit=${A_PAGE}&from=${from}&to=${Math.min(sequence, from + A_PAGE - 1)}`)
    const { entries: next, checkpoints: attesting } = page as Page
    for (const checkpoint of attesting)
      if (checkpoint.sequence <= sequence) checkpoints.set(checkpoint.sequence, checkpoint)
    if (next.length === 0) throw new Error(`The ledger ends at ${entries.length} instead of ${sequence}.`)
    entries.push(...next)
  }
  return { checkpoints: [...checkpoints.values()], entries }
}
