// A process that owns a chain until it is killed: `node test-owner.ts DIRECTORY`. It says where the chain is.
import { startChain } from './start-chain.ts'
import { BENCH_START_SECONDS } from './test-bench.ts'

const chain = await startChain({
  network: 'eip155:8453',
  dataDir: process.argv[2] ?? '',
  clock: () => BENCH_START_SECONDS * 1000,
  log: () => {},
})
console.log(JSON.stringify({ rpcUrl: chain.rpcUrl, nodePid: chain.pid() }))
