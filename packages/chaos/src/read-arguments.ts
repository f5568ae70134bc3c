import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export type Arguments = { readonly kills: number; readonly seed: number; readonly diskFull: boolean }

const KILLS = '20'

export const USAGE = `npm run chaos -- [options]

  --kills N     how often something is killed or frozen under load; ${KILLS}. The oracle is asked after each
  --seed N      repeats the same mishaps in the same order; random without it
  --disk-full   fills the database's disk instead; needs root to mount a small one`

/** Null when only the usage is asked for. */
export function readArguments(texts: readonly string[]): Arguments | null {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      kills: { type: 'string', default: KILLS },
      seed: { type: 'string' },
      'disk-full': { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    kills: wholeNumber('--kills', values.kills, 1),
    seed: values.seed === undefined ? randomInt(1_000_000) : wholeNumber('--seed', values.seed, 0),
    diskFull: values['disk-full'],
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < least)
    throw new RangeError(`${option} takes a whole number from ${least} on.`)
  return number
}
