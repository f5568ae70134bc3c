import { type EndpointName, type ErrorCode, errors } from '@guildhall/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RawAnswer, send } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { type AgentRole, foundTown, proofOf, ROLES, type Role, setStatus, type Town } from './roles.ts'
import { CLOSED_DOORS, declared, endpointNames, sampleCall, written } from './sample-calls.ts'
import { watchRows } from './untouched.ts'

const stage = setStage({ settings: CLOSED_DOORS })
const rows = watchRows(stage)
let town: Town
beforeAll(async () => {
  town = await foundTown(stage)
})
afterAll(() => setStatus(stage, town.agents['suspended agent'], 'active'))

/** Who gets past the door; the others are refused with the code. What happens behind the door is told elsewhere. */
type Row = {
  readonly passes: readonly AgentRole[]
  readonly others: ErrorCode
  readonly but?: Partial<Record<AgentRole, ErrorCode>>
}

const AGENTS: readonly AgentRole[] = ['stranger', 'creator', 'deliverer', 'former claimer', 'suspended agent']
const ACTIVE = AGENTS.filter((role) => role !== 'suspended agent')
const everyAgent: Row = { passes: AGENTS, others: 'forbidden' }
const activeAgents: Row = { passes: ACTIVE, others: 'agent_not_active' }
const poster: Row = { passes: ['creator'], others: 'forbidden' }
const deliverer: Row = { passes: ['deliverer'], others: 'forbidden' }
/** In the sample calls the agent in the path is the creator. */
const oneself = poster

/** Every endpoint has its line here; of those that agents call it says which ones may. */
const TABLE: Readonly<Record<EndpointName, 'public' | 'anybody' | 'managed' | 'people' | Row>> = {
  registerInit: 'public',
  registerComplete: 'public',
  getAgent: 'public',
  searchAgents: 'public',
  updateAgent: oneself,
  getReputation: 'public',
  getAssignment: activeAgents,
  submitVerification: activeAgents,
  getWallet: 'public',
  setWallet: oneself,
  startIdentityLink: oneself,
  getIdentity: 'public',
  unlinkIdentity: oneself,
  getIdentityLink: 'public',
  identityCallback: 'public',
  confirmIdentityLink: 'public',
  getClaimBudget: everyAgent,
  postBond: activeAgents,
  withdrawBond: everyAgent,
  listEvents: oneself,
  streamEvents: oneself,
  markEventsRead: oneself,
  rotateWebhookSecret: oneself,
  listWebhookDeliveries: oneself,
  sendMessage: { passes: ['stranger', 'deliverer', 'former claimer', 'creator'], others: 'agent_not_active' },
  replyToMessage: deliverer,
  listMessages: oneself,
  listSentMessages: oneself,
  getMessage: { passes: ['creator', 'deliverer'], others: 'forbidden' },
  giveFeedback: 'anybody',
  signIn: 'public',
  getOwnerSession: 'people',
  signOut: 'people',
  createAgentCode: 'people',
  listOwnerAgents: 'people',
  unlinkOwnerAgent: 'people',
  linkToOwner: oneself,
  unlinkFromOwner: oneself,
  listOwnerSessions: 'people',
  endOtherOwnerSessions: 'people',
  endOwnerSession: 'people',
  listTasks: 'public',
  createTask: activeAgents,
  getTask: 'public',
  claimTask: {
    passes: ['stranger', 'deliverer', 'former claimer'],
    others: 'agent_not_active',
    but: { creator: 'own_task' },
  },
  deliverTask: deliverer,
  submitTask: deliverer,
  acceptTask: poster,
  verifyTask: poster,
  requestRevision: poster,
  disputeTask: poster,
  cancelTask: poster,
  fundTask: poster,
  getTaskPayment: 'public',
  getAuthorization: 'public',
  getReceipt: 'public',
  listReceipts: 'public',
  getSubmission: { passes: ['creator', 'deliverer'], others: 'forbidden' },
  publishSubmission: poster,
  unpublishSubmission: poster,
  listSettled: 'public',
  hireInfo: 'public',
  hire: 'public',
  hireUsd1: 'public',
  hireUsd5: 'public',
  hireUsd20: 'public',
  getHire: 'managed',
  getHireSubmission: 'managed',
  acceptHire: 'managed',
  reviseHire: 'managed',
  disputeHire: 'managed',
  cancelHire: 'managed',
  createOwnerTask: 'people',
  listOwnerTasks: 'people',
  getOwnerTask: 'people',
  acceptOwnerTask: 'people',
  reviseOwnerTask: 'people',
  disputeOwnerTask: 'people',
  cancelOwnerTask: 'people',
  fundOwnerTask: 'people',
  publishOwnerSubmission: 'people',
  unpublishOwnerSubmission: 'people',
  listChain: 'public',
  latestEntry: 'public',
  getEntry: 'public',
  inclusionProof: 'public',
  consistencyProof: 'public',
  health: 'public',
  status: 'public',
  openapi: 'public',
  serviceDescriptor: 'public',
  agentOnboarding: 'public',
  x402Resources: 'public',
  getSkill: 'public',
  testingCatalog: 'public',
  workerResultContract: 'public',
  /** The task of the sample calls is no testing task: to everybody there is no such assignment. */
  getTestingBrief: everyAgent,
  submitIntake: 'public',
  createTestingRequest: 'people',
  listTestingRequests: 'people',
  getTestingRequest: 'people',
  confirmTestingRequest: 'people',
  retestProduct: 'people',
  reserves: 'public',
  sandbox: 'public',
  faucet: 'public',
  moveClock: 'public',
  setFaults: 'public',
}

/** `anybody`: signed or not; `people`: whoever is signed in, which is none of the roles. */
const AUTH = { public: 'none', anybody: 'optional', managed: 'manage', people: 'owner' } as const

/** Null: it passes. */
function verdictOf(name: EndpointName, role: Role): ErrorCode | null {
  const row = TABLE[name]
  if (row === 'public' || row === 'anybody') return null
  if (row === 'people') return 'auth_required'
  if (row === 'managed') {
    if (role === 'paying wallet') return null
    if (role === 'nobody') return 'auth_required'
    return role === 'other wallet' ? 'wallet_proof_invalid' : 'invalid_token'
  }
  if (role === 'nobody' || role === 'other wallet' || role === 'paying wallet') return 'auth_required'
  return row.passes.includes(role) ? null : (row.but?.[role] ?? row.others)
}

async function call(name: EndpointName, role: Role): Promise<RawAnswer> {
  const { declared: endpoint, path, query, body } = sampleCall(name, town.targets)
  const { text, headers: type } = written(endpoint, body)
  const { method, manages: action = 'read' } = endpoint
  const proof = await proofOf(stage, town, role, { method, path, body: text, action, task: town.targets.hire })
  const target = query === '' ? path : `${path}?${query}`
  if (endpoint.streams === undefined && !endpoint.page)
    return send(stage, { method, path: target, headers: { ...proof, ...type }, body: text })
  const answer = await fetch(`${stage.node().url}${target}`, { method, headers: { ...proof, ...type }, body: text })
  const refused = answer.status === 200 || endpoint.page ? {} : ((await answer.json()) as RawAnswer['body'])
  await answer.body?.cancel().catch(() => {})
  return { status: answer.status, headers: answer.headers, body: refused }
}

const DOOR: ReadonlySet<string> = new Set<ErrorCode>([
  'auth_required',
  'invalid_signature',
  'invalid_token',
  'unknown_agent',
  'wallet_proof_invalid',
  'forbidden',
  'agent_not_active',
  'own_task',
])

test('every endpoint has its line in the table, and the line fits its declaration', () => {
  expect(Object.keys(TABLE).sort()).toEqual([...endpointNames].sort())
  const kinds = endpointNames.map((name) => {
    const row = TABLE[name]
    return [name, typeof row === 'string' ? AUTH[row] : 'agent']
  })
  expect(kinds).toEqual(endpointNames.map((name) => [name, declared[name]?.auth]))
})

describe('whoever is not entitled is refused and changes nothing:', () => {
  test.each(endpointNames.filter((name) => TABLE[name] !== 'public' && TABLE[name] !== 'anybody'))(
    '%s',
    async (name) => {
      const before = await rows.look()
      for (const role of ROLES) {
        const code = verdictOf(name, role)
        if (code === null) continue
        const { status, body } = await call(name, role)
        const expected = status === 401 && code === 'wallet_proof_invalid' ? 401 : errors[code].status
        expect(`${role}: ${status} ${body.error}`).toBe(`${role}: ${expected} ${code}`)
      }
      expect(await rows.look()).toBe(before)
    },
  )
})

describe('whoever is entitled gets past the door:', () => {
  test.each(endpointNames)('%s', async (name) => {
    for (const role of ROLES) {
      if (verdictOf(name, role) !== null) continue
      const { status, body } = await call(name, role)
      expect(status < 500 || status === 503, `${role}: ${status} ${JSON.stringify(body)}`).toBe(true)
      expect(DOOR, role).not.toContain(body.error ?? 'no error')
    }
  })
})
