import { reinstateAgent, suspendAgent } from './actions/agents/suspend-agent.ts'
import { type CoverOutcome, coverLoss } from './actions/custody/cover-loss.ts'
import { type ReturnOutcome, returnStray } from './actions/custody/return-stray.ts'
import { type RedirectOutcome, redirectPayout } from './actions/money/redirect-payout.ts'
import { type PayoutsStanding, pausePayouts, payoutsStanding, resumePayouts } from './actions/money/switch-payouts.ts'
import { readOperatorInbox } from './actions/read-operator-inbox.ts'
import { vouchForAgent } from './actions/reputation/vouch-for-agent.ts'
import { createRandom } from './create-random.ts'
import { houseKey } from './derived-keys.ts'
import type { Agent } from './domain/agent/agent.ts'
import type { Stray } from './domain/custody/stray.ts'
import type { InboxItem } from './domain/operator/inbox-item.ts'
import type { Hex } from './domain/transfer/transfer.ts'
import { type Comparison, compareRecords } from './ledger/compare-records.ts'
import type { Log } from './ports/log.ts'
import { createPostgresStore } from './store/postgres-store.ts'
import { type TestingDesk, testingDesk } from './testing-desk.ts'

/** What an operator can do with access to the database; the running nodes act on it. */
export type Desk = {
  payouts(): Promise<PayoutsStanding>
  pausePayouts(reason: string): Promise<void>
  resumePayouts(): Promise<number>
  /** Sends a waiting release to the wallet that its deliverer has by now. */
  redirectPayout(transferId: string): Promise<RedirectOutcome>
  /** Unrequested money in the escrow wallets, newest first. */
  strays(options: { readonly returned: boolean; readonly limit: number }): Promise<readonly Stray[]>
  /** Sends a stray back to its sender, or to another address. */
  returnStray(strayId: string, to: Hex | null): Promise<ReturnOutcome>
  /** Uses a stray to cover money that is missing on its network. */
  coverLoss(strayId: string): Promise<CoverOutcome>
  suspendAgent(idOrName: string, reason: string | null): Promise<Agent>
  reinstateAgent(idOrName: string, reason: string | null): Promise<Agent>
  /** Needs the registry's key, because the house agent's key is derived from it. */
  vouchForAgent(idOrName: string, registryKey: Uint8Array): Promise<Agent>
  readonly testing: TestingDesk
  /** What needs an operator, at most `limit` of each kind. */
  inbox(limit: number): Promise<readonly InboxItem[]>
  /** Whether the database has everything that the nodes with these data directories have sealed. */
  compareRecords(directories: readonly string[]): Promise<Comparison>
  /** Whether something failed only because the database has not been migrated, in a sentence. */
  whyUnknown(error: unknown): Promise<string | null>
  close(): Promise<void>
}

/** `now` is the nodes' time, which a sandbox may have moved. */
export function openDesk(databaseUrl: string, log: Log, now: () => number = Date.now): Desk {
  const store = createPostgresStore({ databaseUrl, maxConnections: 2, log })
  const office = { store, clock: { now }, random: createRandom() }
  return {
    payouts: () => payoutsStanding(office),
    pausePayouts: (reason) => pausePayouts(office, reason),
    resumePayouts: () => resumePayouts(office),
    redirectPayout: (transferId) => redirectPayout(office, transferId),
    strays: (options) => store.strays(options),
    returnStray: (strayId, to) => returnStray(office, strayId, to),
    coverLoss: (strayId) => coverLoss(office, strayId),
    suspendAgent: (idOrName, reason) => suspendAgent(office, idOrName, reason),
    reinstateAgent: (idOrName, reason) => reinstateAgent(office, idOrName, reason),
    vouchForAgent: (idOrName, registryKey) => vouchForAgent(office, houseKey(registryKey), idOrName),
    testing: testingDesk(office),
    inbox: (limit) => readOperatorInbox(office, limit),
    compareRecords: (directories) => compareRecords(store, directories),
    whyUnknown: (error) => store.whyUnknown(error),
    close: () => store.close(),
  }
}
