import { type ChainPlace, type RunningSandbox, usdcDomain } from '@guildhall/sandbox'

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
 * GUILDHALL_NETWORKS for the sandbox's chains: one block is enough for money to leave again, because blocks come only with
 * transactions here. Whoever tries a reorganisation finds transfers watched for as long as on a real network.
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
 * How Node is to run a service node: with room for a second's requests among what is young, and without full collections for
 * as long as little is old. By itself V8 makes one every two or three seconds under load, which takes a core from the
 * requests, and more of them when little comes, only to give back memory that it needs again at once.
 */
export const serviceFlags: readonly string[] = [
  '--no-memory-reducer',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--initial-old-space-size=512',
]

/** What a service node of the sandbox is told; any other setting of the caller's environment is passed on. */
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
