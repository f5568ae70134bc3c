import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import { judgeRest } from './judge/judge-rest.ts'
import type { Load } from './load/start-load.ts'
import type { Mishap } from './mishaps.ts'
import type { Stage } from './stage/start-stage.ts'

/** A busy machine needs time for a dozen processes that all start at once. */
const RECOVERY_MS = 120_000

/** One mishap in the middle of the load, then waits for rest: returns how long the service was away, and what does not hold. */
export async function strike(
  stage: Stage,
  load: Load,
  mishap: Mishap,
  chance: Chance,
): Promise<{ readonly seconds: number; readonly findings: readonly string[] }> {
  load.resume()
  await pause(chance.between(200, 2_000))
  const struck = performance.now()
  await mishap.happen(stage, chance)
  const isBack = await stage.recovers(RECOVERY_MS)
  const seconds = (performance.now() - struck) / 1000
  if (!isBack) return { seconds, findings: [`the service is not back ${seconds.toFixed(0)} s after: ${mishap.name}`] }
  await pause(chance.between(0, 500))
  await load.rest()
  return { seconds, findings: await judgeRest(stage, load.notebook) }
}
