import { type JsonObject, signDocument } from '@guildhall/protocol'
import type { Body, Guildhall } from '@guildhall/sdk'
import type { Player } from './cast.ts'
import type { Stage } from './stage.ts'

export type Report = Body<'submitVerification'>

/** A report on the open assignment that would be taken, but for the changes that a test wants to see refused. */
export async function reportOf(stage: Stage, player: Player, changes: JsonObject = {}): Promise<Report> {
  const { assignment_id, target, nonce } = await player.client.call('getAssignment')
  const timestamp = new Date(stage.now()).toISOString()
  const report = { assignment_id, target_id: target.agent_id, nonce, timestamp, result: 'pass', ...changes }
  return signDocument(player.key, report) as unknown as Report
}

export const submit = (player: Player, body: Report) => player.client.call('submitVerification', { body })

const MOST_DRAWS = 60

/** Reports on whomever chance chooses until it is this target: in a small cast that is soon. */
export async function drawUntil({ client }: { readonly client: Guildhall }, targetId: string): Promise<void> {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    if ((await client.call('getAssignment')).target.agent_id === targetId) return
    await client.agents.verify(() => ({ result: 'timeout' }))
  }
  throw new Error('Chance did not choose the target.')
}
