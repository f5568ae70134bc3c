import { setTimeout as pause } from 'node:timers/promises'
import { createGuildhall, generateKey } from '@guildhall/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chance } from '../chance.ts'
import type { Stage } from '../stage/start-stage.ts'
import { careers } from './careers.ts'
import { createGate } from './gate.ts'
import type { Crowd } from './insist.ts'
import { type Notebook, openNotebook, type Person } from './notebook.ts'

/** Clients that use the service all the time, and remember what they were told. */
export type Load = {
  readonly notebook: Notebook
  resume(): void
  /** Nothing is under way any more when it returns; requests without an answer are sent again after `resume`. */
  rest(): Promise<void>
  stop(): Promise<void>
}

const NETWORK = 'eip155:8453'
const BUYERS = 3
const WORKERS = 3
const AT_ONCE = 4
const GIVEN_ATOMIC = 10_000_000_000n
const ANSWER_MS = 12_000

export async function startLoad(stage: Stage, chance: Chance): Promise<Load> {
  const people: Person[] = []
  for (let count = 0; count < BUYERS + WORKERS; count++) people.push(await introduce(stage, count))
  const notebook = openNotebook(people)
  const gate = createGate()
  const crowd: Crowd = { gate, chance, notebook }
  const [buyers, workers] = [people.slice(0, BUYERS), people.slice(BUYERS)]
  const stranger = () => clientsOf(stage, generateKey().secretKey)
  const work = async () => {
    while (await gate.enter()) {
      gate.leave()
      await careers(crowd, { buyers, workers, stranger, network: NETWORK })
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
  const clients = clientsOf(stage, key, account)
  const [client] = clients
  const chain = stage.parts.chains.find(({ network }) => network === NETWORK)
  await chain?.mint(account.address, GIVEN_ATOMIC)
  const { agent_id: id } = await client.agents.register({
    name: `agent ${number}`,
    description: 'Works through whatever happens.',
    capabilities: ['anything'],
  })
  await client.wallet.prove(account, NETWORK)
  const reader = createGuildhall({ baseUrl: stage.nodes[1].url, key, clock: stage.now })
  return { id, wallet: account.address, given: GIVEN_ATOMIC, clients, reader, bondsAsked: 0, bondsTold: 0 }
}

/** Each sends once, so that every answer is seen and the next try may go to the other node. */
function clientsOf(stage: Stage, key: Uint8Array, wallet?: ReturnType<typeof privateKeyToAccount>): Person['clients'] {
  const at = (baseUrl: string) =>
    createGuildhall({ baseUrl, key, wallet, maxUsdc: '5', clock: stage.now, attempts: 1, timeoutMs: ANSWER_MS })
  return [at(stage.nodes[0].url), at(stage.nodes[1].url)]
}
