import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { smartWalletFactoryAddress } from '../chains/contracts.ts'
import { networkPlans } from '../chains/networks.ts'
import { type Chain, startChain } from '../chains/start-chain.ts'
import { startFacilitator } from '../facilitator/start-facilitator.ts'
import { identityKeys } from '../identity/identity-keys.ts'
import { startIdentityProvider } from '../identity/start-identity-provider.ts'
import { startMailSink } from '../mail/start-mail-sink.ts'
import { own } from '../postgres/owner-lock.ts'
import { startPostgres } from '../postgres/start-postgres.ts'
import { allStarted } from './all-started.ts'
import { createControl } from './control.ts'
import { startControlServer } from './control-server.ts'
import { fundHouse } from './fund-house.ts'
import { type MovedClock, openMovedClock } from './moved-clock.ts'
import { rememberPorts } from './remembered-ports.ts'
import { announceRunning, forgetRunning, type RunningSandbox } from './running-sandbox.ts'
import { sandboxKeys } from './sandbox-keys.ts'

/** The real parts around a service: database, chains, facilitator, mail, OpenID provider, and the control over them. */
export type Parts = Omit<RunningSandbox, 'chains'> & {
  readonly chains: readonly Chain[]
  /** The facilitator's process, null while it is being started again. */
  facilitatorPid(): number | null
  readonly mailUrl: string
  stop(): Promise<void>
}

type Options = {
  readonly dataDir: string
  /** An existing PostgreSQL instead of the embedded one. */
  readonly databaseUrl: string | null
  /** For the embedded one. */
  readonly databaseSettings?: Readonly<Record<string, string>>
  /** Without any, all that the sandbox knows. */
  readonly networks?: readonly string[]
  readonly log: (line: string) => void
}

/** What every part is started with. */
type Ground = {
  readonly dataDir: string
  readonly clock: MovedClock
  readonly portFor: (name: string) => Promise<number>
  readonly log: (line: string) => void
  /** A log whose lines begin with the name of the part. */
  readonly lines: (part: string) => (line: string) => void
  /** How to stop what has started, in the order of the starts. */
  readonly stops: (() => Promise<unknown>)[]
}

const GAS_WEI = 10n ** 24n
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Starts everything, or nothing: what had started is stopped again when a part fails. */
export async function startParts(options: Options): Promise<Parts> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    const failed: unknown[] = []
    for (const end of stops.splice(0).reverse()) await end().catch((error: unknown) => failed.push(error))
    if (failed.length > 0) throw failed[0]
  }
  try {
    stops.push(await own(dataDir))
    const parts = await startEach({ ...options, dataDir }, stops)
    return { ...parts, stop }
  } catch (error) {
    await stop().catch((second: unknown) => options.log(`a part could not be stopped: ${second}`))
    throw error
  }
}

async function startEach(
  { dataDir, databaseUrl, databaseSettings = {}, networks = networkPlans.map(({ network }) => network), log }: Options,
  stops: (() => Promise<unknown>)[],
): Promise<Omit<Parts, 'stop'>> {
  const keys = await sandboxKeys(join(dataDir, 'keys.json'))
  const clock = openMovedClock(join(dataDir, 'clock.json'))
  const ports = rememberPorts(join(dataDir, 'ports.json'))
  const lines = (part: string) => (line: string) => log(`${part}: ${line}`)
  const ground: Ground = { dataDir, clock, portFor: ports.portFor, log, lines, stops }
  const [database, chains, mail, identity] = await allStarted([
    databaseUrl ?? startDatabase(ground, databaseSettings),
    startChains(ground, networks),
    startMail(ground),
    startIdentity(ground),
  ])
  const facilitator = await startFacilitator({
    networks: chains.map(({ network, serviceRpcUrl }) => ({ network, rpcUrl: serviceRpcUrl })),
    gasKey: keys.gas,
    clockOffsetMs: clock.offsetMs(),
    eip6492Factories: [smartWalletFactoryAddress, CREATE2_DEPLOYER],
    log: lines('facilitator'),
    port: await ports.portFor('facilitator'),
  })
  stops.push(facilitator.stop)
  await Promise.all([
    ...chains.map((chain) => chain.fundGas(facilitator.address, GAS_WEI)),
    fundHouse(chains, keys.house),
  ])
  const control = createControl({ chains, facilitator, identity, clock, mailUrl: mail.pageUrl })
  const server = await startControlServer(control, await ports.portFor('control'))
  stops.push(server.stop)
  await ports.save()
  const places = chains.map(({ network, serviceRpcUrl, usdc }) => ({ network, serviceRpcUrl, usdc }))
  const running = {
    controlUrl: server.url,
    databaseUrl: database,
    keys,
    chains: places,
    facilitatorUrl: facilitator.url,
    smtpUrl: mail.smtpUrl,
    identity: identity.place,
  }
  await announceRunning(dataDir, running)
  stops.push(() => forgetRunning(dataDir))
  return { ...running, chains, facilitatorPid: facilitator.pid, mailUrl: mail.pageUrl }
}

async function startDatabase(
  { dataDir, lines, stops }: Ground,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), settings, log: lines('postgres') })
  stops.push(postgres.stop)
  return postgres.url
}

async function startChains(
  { dataDir, clock, portFor, log, stops }: Ground,
  networks: readonly string[],
): Promise<readonly Chain[]> {
  const started: Chain[] = []
  stops.push(() => Promise.all(started.map((chain) => chain.stop())))
  const start = async (network: string) => {
    const port = await portFor(network)
    const chain = await startChain({ network, dataDir, clock: clock.now, port, log })
    started.push(chain)
    return chain
  }
  return allStarted(networks.map(start))
}

async function startMail({ dataDir, portFor, lines, stops }: Ground) {
  const [smtpPort, httpPort] = [await portFor('smtp'), await portFor('mail')]
  const mail = await startMailSink({ dataDir, log: lines('mail'), smtpPort, httpPort })
  stops.push(mail.stop)
  return mail
}

async function startIdentity({ dataDir, clock, portFor, lines, stops }: Ground) {
  const keys = await identityKeys(join(dataDir, 'identity.json'))
  const identity = await startIdentityProvider({
    keys,
    clockOffsetMs: clock.offsetMs(),
    log: lines('identity'),
    port: await portFor('identity'),
  })
  stops.push(identity.stop)
  return identity
}
