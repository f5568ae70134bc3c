import { parseArgs } from 'node:util'
import { BUGS, type Bug } from './bugs.ts'
import { simulateSeed } from './simulate-seed.ts'
import { simulateSeeds } from './simulate-seeds.ts'
import type { Failure } from './worker.ts'

const SHOWN = 20

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    bug: { type: 'string' },
    workers: { type: 'string' },
  },
})
const bug = bugOf(values.bug)
const first = numberOf(values.seed, 1)
if (values.seed !== undefined && values.seeds === undefined) await showSeed(first)
else await runSeeds(first, numberOf(values.seeds, 1_000))

/** One seed with everything that happened in it. */
async function showSeed(seed: number): Promise<void> {
  const { trace, violations, hash, steps } = await simulateSeed(seed, { bug, kept: true })
  console.log(trace.join('\n'))
  console.log(`\nseed ${seed}: ${steps} steps, trace ${hash}`)
  for (const { invariant, what } of violations) console.log(`BROKEN ${invariant}: ${what}`)
  if (violations.length === 0) console.log('everything holds')
  else process.exitCode = 1
}

async function runSeeds(begin: number, count: number): Promise<void> {
  const began = performance.now()
  let told = began
  const workers = numberOf(values.workers, 2)
  const { done, steps, failures, tally } = await simulateSeeds({
    first: begin,
    count,
    bug,
    workers,
    onProgress(done, failed) {
      if (performance.now() - told < 5_000) return
      told = performance.now()
      console.log(`${done} of ${count} seeds, ${failed.length} failed, ${perSecond(done, began)} a second`)
      if (failed.length > 0) console.log(`failed seeds so far: ${seedsOf(failed)}`)
    },
  })
  const [worst] = failures
  if (worst) {
    await showSeed(worst.seed)
    console.log(`\nfailed seeds: ${seedsOf(failures)}`)
    console.log(`again: npm run simulate -- --seed ${worst.seed}${bug === null ? '' : ` --bug '${bug}'`}`)
    process.exitCode = 1
  }
  const rarest = [...tally].sort(([, one], [, other]) => one - other).slice(0, SHOWN)
  console.log(`rarest of ${tally.size}: ${rarest.map(([kind, days]) => `${kind} (${days})`).join(', ')}`)
  console.log(`${done} seeds, ${steps} steps, ${failures.length} failed, ${perSecond(done, began)} a second`)
}

function seedsOf(failures: readonly Failure[]): string {
  return failures
    .slice(0, SHOWN)
    .map(({ seed }) => seed)
    .join(', ')
}

function perSecond(count: number, began: number): string {
  return ((count * 1000) / (performance.now() - began)).toFixed(1)
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`not a whole number: ${text}`)
  return number
}

function bugOf(name: string | undefined): Bug | null {
  if (name === undefined) return null
  const known = BUGS.find((one) => one === name)
  if (known === undefined) throw new Error(`no such bug; there are: ${BUGS.join(', ')}`)
  return known
}
