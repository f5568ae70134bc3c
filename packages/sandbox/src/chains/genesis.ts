import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { numberToHex } from 'viem'
import { writeDurably } from '../write-durably.ts'
import type { NetworkPlan } from './networks.ts'

/** The file of the chain's first block, written once: every later start begins from the same block. */
export async function genesisFile(directory: string, plan: NetworkPlan, clockSeconds: number): Promise<string> {
  const file = join(directory, 'genesis.json')
  if (!existsSync(file)) await writeDurably(file, JSON.stringify(genesis(plan, clockSeconds), null, 2))
  return file
}

function genesis(plan: NetworkPlan, clockSeconds: number) {
  const alloc = Object.entries(plan.code).map(([address, code]) => [address, { balance: '0x0', code }])
  return {
    config: { chainId: plan.chainId },
    timestamp: numberToHex(clockSeconds),
    gasLimit: numberToHex(30_000_000),
    difficulty: '0x0',
    nonce: '0x0',
    extraData: '0x',
    alloc: Object.fromEntries(alloc),
  }
}
