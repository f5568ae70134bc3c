import { createChance } from './chance.ts'
import { type Load, startLoad } from './load/start-load.ts'
import { diskMishaps, type Mishap, mishaps } from './mishaps.ts'
import { startStage } from './stage/start-stage.ts'
import { strike } from './strike.ts'

export type ChaosPlan = {
  readonly kills: number
  readonly seed: number
  /** Puts the database on a small disk and fills it, instead of killing processes; needs root. */
  readonly diskFull?: boolean
  /** After this time no further kill is started; there is always one. */
  readonly withinMs?: number
  readonly tell: (line: string) => void
  readonly signal?: AbortSignal
}

export type ChaosReport = {
  readonly kills: number
  readonly findings: readonly string[]
  /** Answered requests of clients, and how often others were repeated for which reason. */
  readonly answered: number
  readonly repeats: ReadonlyMap<string, number>
}

/** Runs the service under load, kills its processes again and again, and checks each time whether everything holds. */
export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const { seed, tell } = plan
  tell(`seed ${seed}: starting PostgreSQL, chains, facilitator and two nodes …`)
  const stage = await startStage({ smallDisk: plan.diskFull === true })
  let isClean = false
  try {
    const load = await startLoad(stage, createChance(seed + 1))
    const deadline = performance.now() + (plan.withinMs ?? Number.POSITIVE_INFINITY)
    const { kills, findings } = await strikes(plan, deadline, load, (mishap, chance) =>
      strike(stage, load, mishap, chance),
    ).finally(load.stop)
    isClean = findings.length === 0
    return { kills, findings, answered: load.notebook.answered, repeats: load.notebook.repeats }
  } finally {
    if (!isClean) tell(`data and logs are kept in ${stage.directory}`)
    await stage.stop(!isClean)
  }
}

type Strike = (mishap: Mishap, chance: ReturnType<typeof createChance>) => ReturnType<typeof strike>

/** One mishap after the other, each kind equally often and in random order, until something does not hold. */
async function strikes(
  { kills, seed, diskFull, tell, signal }: ChaosPlan,
  deadline: number,
  { notebook }: Load,
  each: Strike,
) {
  const chance = createChance(seed)
  let bag: readonly Mishap[] = []
  for (let count = 0; count < kills; count++) {
    if (signal?.aborted || (count > 0 && performance.now() > deadline)) return { kills: count, findings: [] }
    if (bag.length === 0) bag = chance.shuffled(diskFull ? diskMishaps : mishaps)
    const [mishap, ...others] = bag
    bag = others
    if (!mishap) break
    const { seconds, findings } = await each(mishap, chance)
    const recovered = `${mishap.name}, recovered in ${seconds.toFixed(1)} s`
    const so = `${notebook.tasks.length} tasks and ${notebook.answered} answers so far`
    tell(`kill ${count + 1} of ${kills}: ${recovered}; ${so}; ${findings.length} findings`)
    for (const finding of findings) tell(`  ${finding}`)
    if (findings.length > 0) return { kills: count + 1, findings }
  }
  return { kills, findings: [] }
}
