import { type Arguments, readArguments, USAGE } from './read-arguments.ts'
import { runChaos } from './run-chaos.ts'

const BROKEN = 6
const WRONG_ARGUMENTS = 2

const asked = readOrExplain()
if (asked === null) console.log(USAGE)
else process.exitCode = await run(asked)

function readOrExplain(): Arguments | null {
  try {
    return readArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(WRONG_ARGUMENTS)
  }
}

async function run(wanted: Arguments): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const { kills, findings, answered, repeats } = await runChaos({
    ...wanted,
    tell: (line) => console.log(line),
    signal: stopping.signal,
  })
  const why = [...repeats].map(([code, times]) => `${code} ${times}`).join(', ')
  if (why !== '') console.log(`sent again after ${why}`)
  console.log(
    findings.length === 0
      ? `${kills} kills, ${answered} requests answered: everything holds (seed ${wanted.seed})`
      : `${findings.length} findings after kill ${kills} (seed ${wanted.seed})`,
  )
  return findings.length === 0 ? 0 : BROKEN
}
