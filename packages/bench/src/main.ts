import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { type Arguments, readArguments, USAGE } from './read-arguments.ts'
import { formatRegistrySummary, runRegistryBench } from './registry/run-registry-bench.ts'
import { checkFiles } from './report/check-files.ts'
import { betweenMarks, type Mark } from './report/marked-text.ts'
import { formatSummary } from './report/table.ts'
import { runBench } from './run-bench.ts'
import { formatSoak, runSoak } from './soak/run-soak.ts'

const tell = (line: string) => console.error(line)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const WRONG_ARGUMENTS = 2

const asked = readOrExplain()
if (asked === null) console.log(USAGE)
else await run(asked)

function readOrExplain(): Arguments | null {
  try {
    const read = readArguments(process.argv.slice(2))
    if (read !== null) checkFiles({ ...read, mark: markOf(read) })
    return read
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(WRONG_ARGUMENTS)
  }
}

async function run(given: Arguments): Promise<void> {
  const { plan, only, jsonFile, markdownFile, registry, soakMinutes } = given
  const page = markdownFile === null ? null : pageAt(markdownFile, markOf(given))
  if (registry !== null) return print(formatRegistrySummary(await runRegistryBench(registry, tell)))
  if (soakMinutes !== null) {
    const text = formatSoak(await runSoak({ plan, minutes: soakMinutes, tell }, stopping.signal))
    print(text)
    return page?.(text)
  }
  const summary = await runBench({ plan, only, tell, signal: stopping.signal })
  print(formatSummary(summary))
  if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify({ ...machine(), plan, ...summary }, null, 2)}\n`)
  await page?.(formatSummary(summary))
}

function print(text: string): void {
  console.log(`\n${text}\n`)
}

function markOf({ soakMinutes }: Arguments): Mark {
  return soakMinutes === null ? 'measured' : 'soaked'
}

/** Returns the function that writes into the page; what it says of the machine holds for the start. */
function pageAt(file: string, mark: Mark): (text: string) => Promise<void> {
  const { measuredAt, cores, model, node, load } = machine()
  const about = `${measuredAt.slice(0, 10)}, ${cores} cores (${model}), Node ${node}, load ${load.toFixed(1)} at the start.`
  return async (text) => writeFile(file, betweenMarks(await readFile(file, 'utf8'), mark, `${about}\n\n${text}`))
}

function machine() {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    load: loadavg()[0] ?? 0,
  }
}
