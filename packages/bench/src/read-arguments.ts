import { parseArgs } from 'node:util'
import { FULL, type Plan, QUICK } from './plan.ts'
import { FULL_REGISTRY, QUICK_REGISTRY, type RegistryPlan } from './registry/run-registry-bench.ts'

export type Arguments = {
  readonly plan: Plan
  readonly jsonFile: string | null
  /** A page whose table of measurements is rewritten. */
  readonly markdownFile: string | null
  /** Measures searches and trust in a large registry instead of the board. */
  readonly registry: RegistryPlan | null
  /** Keeps the service busy for this many minutes and watches its memory, instead of anything else. */
  readonly soakMinutes: number | null
  /** Parts of names; only lines that contain one of them are measured, and the baselines. Empty: all. */
  readonly only: readonly string[]
}

const SOAK_MINUTES = 30

export const USAGE = `npm run bench -- [options]

  --quick          all of it in about a minute, too short for the numbers to mean much
  --only PART      only lines whose name contains PART, and the baselines; may be given several times.
                   Beside the lines of the table: "half load", "overload", "blocked facilitator", "timers at once",
                   "full ledger verify", "stream fan-out"
  --rounds N       how often each line is measured; ${FULL.rounds}
  --markdown FILE  writes the tables into FILE, between the marks for them; not with --registry
  --json FILE      writes all numbers to FILE; not with --registry or --soak
  --soak           keeps the service busy and watches its memory instead
  --minutes N      how long to soak; ${SOAK_MINUTES}, as many requests as in an hour of half load
  --registry       measures searches and trust among 100,000 agents instead`

/** Null when only the usage is asked for. */
export function readArguments(texts: readonly string[]): Arguments | null {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      soak: { type: 'boolean', default: false },
      minutes: { type: 'string', default: String(SOAK_MINUTES) },
      registry: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const plan = values.quick ? QUICK : FULL
  const rounds = values.rounds === undefined ? plan.rounds : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes a whole number from 1 on.')
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new RangeError('--minutes takes a number above 0.')
  if (values.registry && values.soak) throw new RangeError('--registry and --soak are two runs.')
  if (values.registry && values.markdown !== undefined)
    throw new RangeError('--registry prints its table; no page has a place for it.')
  if ((values.registry || values.soak) && values.json !== undefined)
    throw new RangeError('--json takes the numbers of the board alone.')
  return {
    plan: { ...plan, rounds },
    jsonFile: values.json ?? null,
    markdownFile: values.markdown ?? null,
    registry: values.registry ? (values.quick ? QUICK_REGISTRY : FULL_REGISTRY) : null,
    soakMinutes: values.soak ? minutes : null,
    only: values.only,
  }
}
