import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runChaos } from './run-chaos.ts'

const BROKEN = 6

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
    'disk-full': { type: 'boolean', default: false },
  },
})
const kills = numberOf(values.kills)
const seed = values.seed === undefined ? randomInt(1_000_000) : numberOf(values.seed)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const report = await runChaos({
  kills,
  seed,
  diskFull: values['disk-full'],
  tell: (line) => console.log(line),
  signal: stopping.signal,
})
const { findings, answered, repeats } = report
const why = [...repeats].map(([code, times]) => `${code} ${times}`).join(', ')
if (why !== '') console.log(`sent again after ${why}`)
console.log(
  findings.length === 0
    ? `${report.kills} kills, ${answered} requests answered: everything holds (seed ${seed})`
    : `${findings.length} findings after kill ${report.kills} (seed ${seed})`,
)
process.exitCode = findings.length === 0 ? 0 : BROKEN

function numberOf(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`not a whole number: ${text}`)
  return number
}
