import { setTimeout as pause } from 'node:timers/promises'
import { createGuildhall, type GuildhallOptions, generateKey } from '@guildhall/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chance } from '../chance.ts'
import type { Stage } from '../stage/start-stage.ts'
import { careers } from './careers.ts'
import { createGate } from './gate.ts'
import type { Crowd } from './insist.ts'
import { HIRE_NETWORKS, NETWORKS } from './networks.ts'
import { type Notebook, openNotebook, type Person } from './notebook.ts'
import type { Hirer } from './wallet-poster.ts'

/** Clients that use the service all the time, and remember what they were told. */
export type Load = {
  readonly notebook: Notebook
  resume(): void
  /** When it returns no request is in flight; requests without an answer are sent again after `resume`. */
  rest(): Promise<void>
  stop(): Promise<void>
}

const BUYERS = 3
const WORKERS = 3
const HIRERS = 2
const AT_ONCE = 5
/** The start money on each network. */
const GIVEN_ATOMIC = 10_000_000_000n
const ANSWER_MS = 12_000

export async function startLoad(stage: Stage, chance: Chance): Promise<Load> {
  const people: Person[] = []
  for (let count = 0; count < BUYERS + WORKERS; count++) people.push(await introduce(stage, count))
  const hirers = await Promise.all(Array.from({ length: HIRERS }, () => newHirer(stage)))
  const notebook = openNotebook(people, hirers)
  const gate = createGate()
  const crowd: Crowd = { gate, chance, notebook }
  const [buyers, workers] = [people.slice(0, BUYERS), people.slice(BUYERS)]
  const stranger = () => clientsOf(stage, { key: generateKey().secretKey })
  const work = async () => {
    while (await gate.enter()) {
      gate.leave()
      await careers(crowd, { buyers, workers, hirers, stranger })
      await pause(chance.between(0, 100))
    }
  }
  const working = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => void notebook.surprises.push(`a client stopped: ${error}`)),
  )
  return {
    notebook,
    resume: gate.open,
    rest: gate.close,
    async stop() {
      gate.closeForGood()
      await Promise.all(working)
    },
  }
}

/** An agent with a payout wallet and money in it. */
async function introduce(stage: Stage, number: number): Promise<Person> {
  const key = generateKey().secretKey
  const account = privateKeyToAccount(generatePrivateKey())
  const clients = clientsOf(stage, { key, wallet: account })
  const [client] = clients
  const given = await give(stage, account.address, NETWORKS)
  const { agent_id: id } = await client.agents.register({
    name: `agent ${number}`,
    description: 'Works through whatever happens.',
    capabilities: ['anything'],
  })
  await client.wallet.prove(account, NETWORKS[0])
  const reader = createGuildhall({ baseUrl: stage.nodes[1].url, key, clock: stage.now })
  const none = { bondsAsked: 0, bondsTold: 0, withdrawalsAsked: 0, withdrawalsTold: 0, accepted: 0 }
  return { id, wallet: account.address, given, clients, reader, ...none }
}

async function newHirer(stage: Stage): Promise<Hirer> {
  const account = privateKeyToAccount(generatePrivateKey())
  const given = await give(stage, account.address, HIRE_NETWORKS)
  const clients = clientsOf(stage, { wallet: account })
  return { id: account.address.toLowerCase(), wallet: account.address, given, account, clients }
}

/** Gives money on each of the networks, and returns the total. */
async function give({ parts }: Stage, wallet: `0x${string}`, networks: readonly string[]): Promise<bigint> {
  const chains = parts.chains.filter(({ network }) => networks.includes(network))
  for (const chain of chains) await chain.mint(wallet, GIVEN_ATOMIC)
  return GIVEN_ATOMIC * BigInt(chains.length)
}

/** Each client sends once, so that every answer is seen and the next attempt may go to the other node. */
function clientsOf({ nodes, parts, now }: Stage, who: Pick<GuildhallOptions, 'key' | 'wallet'>): Person['clients'] {
  const howToSend = {
    maxUsdc: '5',
    clock: now,
    attempts: 1,
    timeoutMs: ANSWER_MS,
    usdcContracts: Object.fromEntries(parts.chains.map(({ network, usdc }) => [network, usdc])),
  }
  const at = (baseUrl: string) => createGuildhall({ ...howToSend, ...who, baseUrl })
  return [at(nodes[0].url), at(nodes[1].url)]
}
