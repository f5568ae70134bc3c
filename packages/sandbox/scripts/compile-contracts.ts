// Compiles contracts/*.sol into contracts/artifacts/*.json: `node packages/sandbox/scripts/compile-contracts.ts`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export type Artifact = { readonly name: string; readonly abi: Abi; readonly creation: Hex; readonly runtime: Hex }

const sources = new URL('../contracts/', import.meta.url)
const artifacts = new URL('artifacts/', sources)

/** Every contract of the sources, compiled so that the same source always gives the same bytes. */
export function compileContracts(): Artifact[] {
  const files = readdirSync(sources).filter((file) => file.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(new URL(file, sources), 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const complaints = output.errors ?? []
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'))
  return Object.values(output.contracts).flatMap((file) =>
    Object.entries(file).map(([name, made]) => artifact(name, made)),
  )
}

export function artifactFile(name: string): URL {
  return new URL(`${name}.json`, artifacts)
}

export function artifactText(made: Artifact): string {
  return `${JSON.stringify(made, null, 2)}\n`
}

type Compiled = {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}
type SolcOutput = {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}

function artifact(name: string, made: Compiled): Artifact {
  return {
    name,
    abi: made.abi,
    creation: `0x${made.evm.bytecode.object}`,
    runtime: `0x${made.evm.deployedBytecode.object}`,
  }
}

if (import.meta.main) {
  mkdirSync(artifacts, { recursive: true })
  for (const made of compileContracts()) writeFileSync(artifactFile(made.name), artifactText(made))
}
