import { AGENT_AUDIT } from '@guildhall/protocol'
import { type Agent, NO_TRACK } from '../../src/domain/agent/agent.ts'
import type { Receipt, Submission } from '../../src/domain/delivery/delivery.ts'
import { newEscrow } from '../../src/domain/escrow/new-escrow.ts'
import type { PendingEntry } from '../../src/domain/ledger/ledger.ts'
import { newTask } from '../../src/domain/task/new-task.ts'
import type { Escrow, Task } from '../../src/domain/task/task.ts'
import type { TestingRequest } from '../../src/domain/testing/request.ts'
import { scopeHashOf, scopeOf } from '../../src/domain/testing/scope.ts'
import { intendedTransfer } from '../../src/domain/transfer/intended-transfer.ts'
import type { Authorization, Transfer } from '../../src/domain/transfer/transfer.ts'
import { anIntake } from './test-results.ts'

export const NOW = Date.UTC(2026, 0, 31, 12, 0, 0, 123)

let made = 0
/** A different id each time, in the order of making. */
export const sampleId = (prefix: string): string => `${prefix}_${String(++made).padStart(20, '0')}`

export function sampleAgent(changes: Partial<Agent> = {}): Agent {
  const id = changes.id ?? sampleId('ag')
  return {
    id,
    publicKey: id.slice(3),
    status: 'active',
    profile: {
      name: `Agent ${id}`,
      description: 'Does things.',
      capabilities: ['Python', 'writing'],
      protocols: ['a2a'],
      homepage: 'https://agent.example',
      contactEndpoint: null,
      organization: null,
      tags: ['quick', 'with "quotes" and \\'],
      version: '1.0',
      webhookUrl: null,
      skills: [{ name: 'left-pad', registry: 'npm', version: null, private: false }],
    },
    wallet: null,
    registeredAt: NOW,
    lastSeenAt: null,
    house: false,
    bondBalance: 0n,
    bondNetwork: null,
    track: NO_TRACK,
    ...changes,
  }
}

export const sampleEscrow = (changes: Partial<Escrow> = {}): Escrow => ({
  ...newEscrow({
    wallet: '0x00000000000000000000000000000000000e5c40',
    payer: '0x0000000000000000000000000000000000000a11',
    depositId: 'tr_deposit',
  }),
  ...changes,
})

export const sampleTask = (changes: Partial<Task> = {}): Task =>
  newTask({
    id: sampleId('task'),
    creator: { kind: 'agent', id: 'ag_poster' },
    title: 'A task',
    description: 'What is to be done.',
    category: 'code',
    requiredCapabilities: [],
    expectedOutput: null,
    outputFormat: 'json',
    expiresInDays: 60,
    createdAt: NOW,
    expiresAt: null,
    bounty: null,
    paymentStatus: 'none',
    ...changes,
  })

const word = (digits: string, length: number): `0x${string}` => `0x${digits.padStart(length, '0')}`

export const sampleAuthorization = (changes: Partial<Authorization> = {}): Authorization => ({
  network: 'eip155:8453',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  from: '0x0000000000000000000000000000000000000a11',
  to: '0x00000000000000000000000000000000000e5c40',
  value: 5_000_000n,
  validAfter: 0n,
  validBefore: BigInt(Math.floor(NOW / 1000) + 3600),
  nonce: word(String(++made), 64),
  ...changes,
})

export const sampleTransfer = (changes: Partial<Transfer> = {}): Transfer => ({
  ...intendedTransfer(
    {
      id: sampleId('tr'),
      purpose: 'deposit',
      authorization: sampleAuthorization(),
      signature: '0x5160',
      fromBlock: 100n,
    },
    NOW,
  ),
  ...changes,
})

export const sampleSubmission = (task: Task, agent: Agent, changes: Partial<Submission> = {}): Submission => ({
  id: sampleId('sub'),
  taskId: task.id,
  agentId: agent.id,
  type: 'json',
  summary: 'Done.',
  content: '{"answer":42}',
  artifactUrls: ['https://example.org/a', 'https://example.org/b'],
  commitHash: null,
  prUrl: null,
  salt: 'ab'.repeat(32),
  createdAt: NOW,
  ...changes,
})

export const sampleReceipt = (submission: Submission, changes: Partial<Receipt> = {}): Receipt => ({
  id: sampleId('rcpt'),
  taskId: submission.taskId,
  agentId: submission.agentId,
  submissionId: submission.id,
  type: submission.type,
  payloadHash: '01'.repeat(32),
  revision: 0,
  completedAt: NOW,
  signed: {
    signature: 'c2lnbmVk',
    timestamp: 1_769_860_800,
    nonce: 'nonce-1234',
    bodyHash: '02'.repeat(32),
    publicKeyHex: '03'.repeat(32),
  },
  chainSequence: null,
  chainEntryHash: null,
  ...changes,
})

export const samplePending = (changes: Partial<PendingEntry> = {}): PendingEntry => ({
  id: sampleId('led'),
  type: 'registration',
  agentId: 'ag_1',
  agentName: 'Agent 1',
  publicKey: '1',
  profileHash: '04'.repeat(32),
  receiptId: null,
  ...changes,
})

/** A request for a test that its owner has confirmed. */
export function sampleTestingRequest(changes: Partial<TestingRequest> = {}): TestingRequest {
  const scope = changes.scope ?? scopeOf(anIntake, AGENT_AUDIT)
  return {
    id: sampleId('treq'),
    status: 'confirmed',
    email: 'owner@example.org',
    ownerId: 'own_1',
    scope,
    scopeHash: scopeHashOf(scope),
    retestOf: null,
    note: null,
    createdAt: NOW,
    confirmBy: null,
    confirmedAt: NOW,
    decidedAt: null,
    endedAt: null,
    postAt: null,
    trouble: null,
    ...changes,
  }
}
