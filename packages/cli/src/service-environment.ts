import { usdcDomain } from '@guildhall/sandbox'
import type { ChainPlace, RunningSandbox } from '@guildhall/sandbox/running-sandbox'

type Node = {
  readonly host: string
  readonly port: number
  readonly nodeDir: string
  readonly databaseUrl: string
  readonly controlUrl: string
  readonly keys: RunningSandbox['keys']
  readonly networks: string
  readonly smtpUrl: string
  readonly identity: RunningSandbox['identity']
}

/**
 * GUILDHALL_NETWORKS for the sandbox's chains: one block is enough before money may be paid out again, because here blocks come
 * only with transactions. For tests of reorgs, transfers are watched for as long as on a real network.
 */
export const networksSetting = (chains: readonly ChainPlace[], facilitatorUrl: string): string =>
  JSON.stringify(
    chains.map(({ network, serviceRpcUrl, usdc }) => ({
      network,
      rpc_url: serviceRpcUrl,
      facilitator_url: facilitatorUrl,
      usdc,
      ...usdcDomain,
      confirmations: 1,
      finality: 1,
      reorg_depth: 32,
    })),
  )

/**
 * Node flags of a service node: a young generation with room for a second's requests, and no full collections while the old
 * generation is small. By default V8 makes one every two or three seconds under load, which takes a core from the requests, and
 * more when idle, only to release memory that it needs again at once.
 */
export const serviceFlags: readonly string[] = [
  '--no-memory-reducer',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--initial-old-space-size=512',
]

/** The settings of a node on the parts of a sandbox. */
export const environmentOn = (
  { databaseUrl, controlUrl, keys, chains, facilitatorUrl, smtpUrl, identity }: RunningSandbox,
  node: Pick<Node, 'host' | 'port' | 'nodeDir'>,
): NodeJS.ProcessEnv =>
  serviceEnvironment({
    ...node,
    databaseUrl,
    controlUrl,
    keys,
    networks: networksSetting(chains, facilitatorUrl),
    smtpUrl,
    identity,
  })

/** The settings of a sandbox's service node; any other setting of the caller's environment is passed on. */
export const serviceEnvironment = (node: Node): NodeJS.ProcessEnv => ({
  GUILDHALL_LOG_LEVEL: 'warn',
  ...process.env,
  HOST: node.host,
  PORT: String(node.port),
  DATABASE_URL: node.databaseUrl,
  GUILDHALL_MODE: 'sandbox',
  GUILDHALL_DATA_DIR: node.nodeDir,
  GUILDHALL_SANDBOX_CONTROL: node.controlUrl,
  GUILDHALL_REGISTRY_KEY: node.keys.registry,
  GUILDHALL_ESCROW_KEY: node.keys.escrow,
  GUILDHALL_ESCROW_WALLET: '',
  GUILDHALL_HOUSE_WALLET_KEY: node.keys.house,
  GUILDHALL_NETWORKS: node.networks,
  GUILDHALL_SMTP_URL: node.smtpUrl,
  GUILDHALL_MAIL_FROM: 'Guildhall <guildhall@sandbox.invalid>',
  GUILDHALL_OIDC_ISSUER: node.identity.issuer,
  GUILDHALL_OIDC_CLIENT_ID: node.identity.clientId,
  GUILDHALL_OIDC_CLIENT_SECRET: node.identity.clientSecret,
  GUILDHALL_OIDC_NAME: 'the sandbox’s OpenID provider',
  GUILDHALL_PARENT_PIPE: '1',
})
