import { BASE } from '@guildhall/protocol'
import type { Stage } from './start-stage.ts'

const LOOK_EVERY_MS = 100
const MOST_MS = 180_000
/** More than the depth to which the sandbox's networks are watched for reorgs. */
const BLOCKS = 40

const unfinished = `select
  exists (select from transfers where state = 'intended') as sending,
  exists (select from transfers where state = 'settled' and not is_final) as watched`

/**
 * Waits until every payment is on the chain, mines until no reorg is expected that could undo one, and waits until the service has
 * seen it. In the sandbox blocks come only with transactions, so it would go on looking at the last payments while other lines are
 * measured.
 */
export async function untilFinal({ parts, large }: Pick<Stage, 'parts' | 'large'>): Promise<void> {
  const chain = parts.chains.find(({ network }) => network === BASE.id)
  if (chain === undefined) throw new Error('The chain of the payments does not run.')
  const query = { name: 'unfinished', text: unfinished }
  const until = performance.now() + MOST_MS
  for (let isMined = false; performance.now() < until; ) {
    const { rows } = await large.database.query<{ sending: boolean; watched: boolean }>(query)
    const [left] = rows
    if (left?.sending === false) {
      if (!left.watched) return
      if (!isMined) await mine(chain.rpcUrl)
      isMined = true
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error(`Payments were not final within ${MOST_MS / 1000} s.`)
}

async function mine(rpcUrl: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [BLOCKS] })
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const { error } = (await answer.json()) as { readonly error?: { readonly message: string } }
  if (error !== undefined) throw new Error(`${rpcUrl} mined nothing: ${error.message}`)
}
