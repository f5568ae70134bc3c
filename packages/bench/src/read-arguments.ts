import { parseArgs } from 'node:util'
import { FULL, type Plan, QUICK } from './plan.ts'
import { FULL_REGISTRY, QUICK_REGISTRY, type RegistryPlan } from './registry/run-registry-bench.ts'

export type Arguments = {
  readonly plan: Plan
  readonly jsonFile: string | null
  /** Measures searches and trust in a large registry instead of the board. */
  readonly registry: RegistryPlan | null
  /** Parts of names; only lines that hold one of them are measured, with the baselines. Empty: all. */
  readonly only: readonly string[]
}

export function readArguments(texts: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      registry: { type: 'boolean', default: false },
    },
  })
  const plan = values.quick ? QUICK : FULL
  const rounds = values.rounds === undefined ? plan.rounds : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes a whole number from 1 on.')
  const registry = values.registry ? (values.quick ? QUICK_REGISTRY : FULL_REGISTRY) : null
  return { plan: { ...plan, rounds }, jsonFile: values.json ?? null, registry, only: values.only }
}
