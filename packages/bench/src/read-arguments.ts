import { parseArgs } from 'node:util'
import { FULL, type Plan, QUICK } from './plan.ts'

export type Arguments = {
  readonly plan: Plan
  readonly jsonFile: string | null
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
    },
  })
  const plan = values.quick ? QUICK : FULL
  const rounds = values.rounds === undefined ? plan.rounds : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds takes a whole number from 1 on.')
  return { plan: { ...plan, rounds }, jsonFile: values.json ?? null, only: values.only }
}
