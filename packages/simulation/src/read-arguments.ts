import { parseArgs } from 'node:util'
import { BUGS, type Bug } from './bugs.ts'

export type Arguments = {
  /** The first seed, or the only one. */
  readonly seed: number
  /** The number of seeds; null for a single one, which is printed with everything that happens in it. */
  readonly seeds: number | null
  /** A bug that is injected into the service. */
  readonly bug: Bug | null
  readonly workers: number
}

const SEEDS = 1_000
const WORKERS = 2

export const USAGE = `npm run simulate -- [options]

  --seeds N     so many days of trouble, one for each seed; ${SEEDS.toLocaleString('en')}
  --seed N      begins with this one; without --seeds it alone is run, and everything that happens in it is shown
  --bug NAME    plants a mistake that has to be found: ${BUGS.join(', ')}
  --workers N   threads; ${WORKERS}`

/** Null when only the usage is asked for. */
export function readArguments(texts: readonly string[]): Arguments | null {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      seeds: { type: 'string' },
      seed: { type: 'string' },
      bug: { type: 'string' },
      workers: { type: 'string', default: String(WORKERS) },
    },
  })
  if (values.help) return null
  const { seeds = values.seed === undefined ? String(SEEDS) : null, seed = '1', bug, workers } = values
  return {
    seed: wholeNumber('--seed', seed, 0),
    seeds: seeds === null ? null : wholeNumber('--seeds', seeds, 1),
    bug: bug === undefined ? null : bugOf(bug),
    workers: wholeNumber('--workers', workers, 1),
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < least)
    throw new RangeError(`${option} takes a whole number from ${least} on.`)
  return number
}

function bugOf(name: string): Bug {
  const known = BUGS.find((one) => one === name)
  if (known === undefined) throw new RangeError(`There is no bug called ${name}.`)
  return known
}
