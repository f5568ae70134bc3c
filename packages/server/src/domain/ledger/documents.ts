import { entryDocumentHash, hashDocument, type JsonObject } from '@guildhall/protocol'
import type { Agent } from '../agent/agent.ts'
import { isoTime } from '../instant.ts'
import type { Task } from '../task/task.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** The documents that ledger entries commit to, as the protocol declares and publishes them. */
export const genesisHash = (publicKey: string, serviceName: string): string =>
  entryDocumentHash('genesis', { registry_public_key: publicKey, service: serviceName })

export const registrationHash = ({ id, publicKey, profile, registeredAt }: Agent): string =>
  entryDocumentHash('registration', {
    agent_id: id,
    public_key: publicKey,
    name: profile.name,
    description: profile.description,
    capabilities: profile.capabilities,
    protocols: profile.protocols,
    registered_at: isoTime(registeredAt),
  })

/** The public profile as it is from now on. */
export const profileHash = ({ id, publicKey, profile }: Agent): string =>
  entryDocumentHash('capability_update', {
    agent_id: id,
    public_key: publicKey,
    name: profile.name,
    description: profile.description,
    capabilities: profile.capabilities,
    protocols: profile.protocols,
    homepage: profile.homepage,
    contact_endpoint: profile.contactEndpoint,
    organization: profile.organization,
    tags: profile.tags,
    version: profile.version,
    skills: profile.skills,
  })

/** The report with its signature, as it was sent. */
export const verificationHash = (report: JsonObject): string => hashDocument(report)

export const acceptanceHash = (task: Task): string =>
  entryDocumentHash('task_verified', {
    task_id: task.id,
    agent_id: task.claimedBy,
    accepted_by: task.acceptedBy,
    verified_at: task.verifiedAt === null ? null : isoTime(task.verifiedAt),
  })

export type PaymentEntry = 'task_payment_settled' | 'task_payment_refunded'

export const paymentHash = (type: PaymentEntry, task: Task, transfer: Transfer): string =>
  entryDocumentHash(type, {
    task_id: task.id,
    network: transfer.authorization.network,
    amount_atomic: transfer.authorization.value.toString(),
    tx_hash: transfer.txHash,
  })
