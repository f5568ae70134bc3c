import type { Bug } from './bugs.ts'
import { type Arguments, readArguments, USAGE } from './read-arguments.ts'
import { simulateSeed } from './simulate-seed.ts'
import { simulateSeeds } from './simulate-seeds.ts'
import type { Failure } from './worker.ts'

const SHOWN = 20
const WRONG_ARGUMENTS = 2

const asked = readOrExplain()
if (asked === null) console.log(USAGE)
else if (asked.seeds === null) await showSeed(asked.seed, asked.bug)
else await runSeeds(asked, asked.seeds)

function readOrExplain(): Arguments | null {
  try {
    return readArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(WRONG_ARGUMENTS)
  }
}

/** Runs one seed and prints everything that happened. */
async function showSeed(seed: number, bug: Bug | null): Promise<void> {
  const { trace, violations, hash, steps } = await simulateSeed(seed, { bug, kept: true })
  console.log(trace.join('\n'))
  console.log(`\nseed ${seed}: ${steps} steps, trace ${hash}`)
  for (const { invariant, what } of violations) console.log(`BROKEN ${invariant}: ${what}`)
  if (violations.length === 0) console.log('everything holds')
  else process.exitCode = 1
}

async function runSeeds({ seed, bug, workers }: Arguments, count: number): Promise<void> {
  const began = performance.now()
  let told = began
  const { done, steps, failures, tally } = await simulateSeeds({
    first: seed,
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
    await showSeed(worst.seed, bug)
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
