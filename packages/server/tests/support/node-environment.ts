import { type Parts, usdcDomain } from '@guildhall/sandbox'
import type { Environment } from '../../src/config/environment-reader.ts'

/** How many blocks a network asks for. */
export type Depths = {
  readonly confirmations: number
  readonly finality: number
  readonly reorg_depth?: number
  readonly large_usdc?: string
  readonly large_finality?: number
}

/** The networks of these parts, as a node is told of them. */
export const networksOf = (parts: Parts, depths: Depths) =>
  parts.chains.map(({ network, serviceRpcUrl, usdc }) => ({
    network,
    rpc_url: serviceRpcUrl,
    facilitator_url: parts.facilitatorUrl,
    usdc,
    ...usdcDomain,
    ...depths,
  }))

/** What a node on these parts is told; `settings` has the last word. */
export const nodeEnvironment = (
  parts: Parts,
  node: { readonly port: number; readonly dataDir: string; readonly depths: Depths; readonly settings: Environment },
): Record<string, string> => ({
  HOST: '127.0.0.1',
  PORT: String(node.port),
  DATABASE_URL: parts.databaseUrl,
  GUILDHALL_MODE: 'sandbox',
  GUILDHALL_DATA_DIR: node.dataDir,
  GUILDHALL_SANDBOX_CONTROL: parts.controlUrl,
  GUILDHALL_REGISTRY_KEY: parts.keys.registry,
  GUILDHALL_ESCROW_KEY: parts.keys.escrow,
  GUILDHALL_HOUSE_WALLET_KEY: parts.keys.house,
  GUILDHALL_NETWORKS: JSON.stringify(networksOf(parts, node.depths)),
  GUILDHALL_SMTP_URL: parts.smtpUrl,
  GUILDHALL_MAIL_FROM: 'Guildhall <hall@sandbox.invalid>',
  GUILDHALL_OIDC_ISSUER: parts.identity.issuer,
  GUILDHALL_OIDC_CLIENT_ID: parts.identity.clientId,
  GUILDHALL_OIDC_CLIENT_SECRET: parts.identity.clientSecret,
  GUILDHALL_CHECK_ANSWERS: '1',
  GUILDHALL_LOG_LEVEL: 'silent',
  GUILDHALL_DIFFICULTY: '4',
  GUILDHALL_POOL_SIZE: '20',
  // On a slow machine a settlement takes longer than a request usually waits for it.
  GUILDHALL_SETTLE_IN_REQUEST_MS: '20000',
  ...(node.settings as Record<string, string>),
})
