import { type CheckpointFields, endpoints, SECOND, signCheckpoint } from '@guildhall/protocol'
import { rulesOf } from './config/rules-of.ts'
import type { Settings } from './config/settings.ts'
import { createFailpoints } from './create-failpoints.ts'
import { createRandom } from './create-random.ts'
import { derivedKey } from './derived-keys.ts'
import { createLedger } from './ledger/create-ledger.ts'
import { createWebhooks } from './outgoing/create-webhooks.ts'
import { createGuardedFetch } from './outgoing/guarded-fetch.ts'
import { createOpenidProvider } from './outgoing/identity/create-openid-provider.ts'
import { createSkillRegistries } from './outgoing/skills/create-skill-registries.ts'
import { createHttpFacilitator } from './payments/http-facilitator.ts'
import { createLocalEscrowSigner } from './payments/local-escrow-signer.ts'
import type { Clock } from './ports/clock.ts'
import type { EscrowSigner } from './ports/escrow-signer.ts'
import type { HeadRecord } from './ports/head-record.ts'
import type { Log } from './ports/log.ts'
import type { World } from './ports/world.ts'

/** Parts that the start itself also uses, or has to close. */
type StartedParts = Pick<World, 'clock' | 'timer' | 'log' | 'store' | 'chain' | 'mailer' | 'nudge'> & {
  readonly record: HeadRecord
}

const FACILITATOR_TIMEOUT_MS = { verify: 10 * SECOND, settle: 30 * SECOND }

/** Joins the implementations to the ports. */
export function createWorld(settings: Settings, { record, ...parts }: StartedParts): World {
  const { clock, timer, log, store } = parts
  const outgoing = createGuardedFetch({ allowed: settings.outgoingAllowed })
  return {
    ...parts,
    random: createRandom(),
    ledger: createLedger({ store, clock, timer, log, attest: attestWith(settings.registryKey), record }),
    facilitator: createHttpFacilitator({
      urlFor: (network) => settings.networks.find((served) => served.network === network)?.facilitatorUrl ?? null,
      timeoutMs: FACILITATOR_TIMEOUT_MS,
      log,
    }),
    escrow: settings.escrowWallet ? keyElsewhere(settings.escrowWallet) : walletOf(settings, settings.escrowKey, clock),
    houseWallet: walletOf(settings, settings.houseWalletKey, clock),
    identity: identityOf(settings, clock, log),
    outgoing,
    webhooks: createWebhooks({ outgoing, registryKey: settings.registryKey }),
    skillRegistries: createSkillRegistries({ outgoing, urls: settings.skillRegistries }),
    failpoints: createFailpoints(settings.failpoint),
    rules: rulesOf(settings),
  }
}

const attestWith = (registryKey: Uint8Array) => (fields: CheckpointFields) =>
  signCheckpoint(registryKey, fields).signature

const keyElsewhere = (address: `0x${string}`): EscrowSigner => ({
  address,
  isElsewhere: true,
  sign: async () => ({ kind: 'refused', reason: 'the escrow key is on other nodes' }),
})

const walletOf = (settings: Settings, privateKey: Settings['escrowKey'], clock: Clock) =>
  privateKey === null
    ? null
    : createLocalEscrowSigner({
        privateKey,
        networks: settings.networks,
        maxPayoutAtomic: settings.maxPayoutAtomic,
        maxPerHourAtomic: settings.maxHourlyPayoutAtomic,
        clock,
      })

const identityOf = (settings: Settings, clock: Clock, log: Log) =>
  settings.openid === null
    ? null
    : createOpenidProvider({
        ...settings.openid,
        redirectUri: `${settings.baseUrl}${endpoints.identityCallback.path}`,
        key: derivedKey('guildhall identity links', settings.registryKey),
        clock,
        log,
      })
