import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { readArguments } from './read-arguments.ts'
import { formatRegistrySummary, runRegistryBench } from './registry/run-registry-bench.ts'
import { formatSummary } from './report/table.ts'
import { runBench } from './run-bench.ts'

const { plan, only, jsonFile, registry } = readArguments(process.argv.slice(2))
const tell = (line: string) => console.error(line)
if (registry !== null) {
  console.log(`\n${formatRegistrySummary(await runRegistryBench(registry, tell))}\n`)
  process.exit()
}
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const summary = await runBench({ plan, only, tell, signal: stopping.signal })
console.log(`\n${formatSummary(summary)}\n`)
if (jsonFile !== null) {
  const machine = {
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cores: availableParallelism(),
  }
  await writeFile(
    jsonFile,
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, plan, ...summary }, null, 2)}\n`,
  )
}
