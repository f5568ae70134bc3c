import { randomUUID } from 'node:crypto'
import { type Endpoint, type EndpointName, encodePublicKey, endpoints, generateKey } from '@guildhall/protocol'
import { BASE } from '../support/stage.ts'
import { aDelivery, aTask } from '../support/tasks.ts'
import { anIntake } from '../support/test-results.ts'

export const declared = endpoints as Readonly<Record<string, Endpoint>>
export const endpointNames = Object.keys(endpoints) as readonly EndpointName[]

/** What there is to ask for. */
export type Targets = {
  readonly agent: string
  readonly task: string
  readonly hire: string
  readonly message: string
}

/** Parameters that mean the same wherever they stand. */
const NAMED: Readonly<Record<string, string>> = {
  '{sequence}': '1',
  '{network}': BASE,
  '{payer}': `0x${'12'.repeat(20)}`,
  '{nonce}': `0x${'34'.repeat(32)}`,
  '{registry}': 'npm',
  '{name}': 'counting',
  '{link_id}': 'lnk_000000000000000000000000000000',
}

const nowhere = 'http://127.0.0.1:9'

/** Settings under which no call leads out of this machine. */
export const CLOSED_DOORS = {
  GUILDHALL_SKILL_REGISTRIES: JSON.stringify({
    npm: nowhere,
    npm_downloads: nowhere,
    pypi: nowhere,
    pypi_downloads: nowhere,
    clawhub: nowhere,
  }),
}

/** The path of an endpoint with its parameters filled in; what an id is of says what stands before it. */
export function pathOf(path: string, targets: Targets): string {
  const ids: readonly (readonly [prefix: string, value: string])[] = [
    ['/v1/x402/tasks/', targets.hire],
    ['/v1/tasks/', targets.task],
    ['/v1/owner/tasks/', targets.task],
    ['/v1/agents/', targets.agent],
    ['/v1/messages/', targets.message],
    ['/v1/owner/agents/', targets.agent],
    ['/v1/owner/sessions/', 'ses_000000000000000000000000000000'],
    ['/v1/testing/assignments/', targets.task],
    ['/v1/owner/testing/requests/', 'treq_000000000000000000000000000000'],
  ]
  return path.replaceAll(/\{[^}]*\}/g, (parameter) => {
    const value = NAMED[parameter] ?? ids.find(([prefix]) => path.startsWith(prefix))?.[1]
    if (value === undefined) throw new Error(`${path}: say what ${parameter} is.`)
    return value
  })
}

const newPublicKey = (): string => encodePublicKey(generateKey().publicKey)
const hire = { ...aTask, network: BASE }
const declaredTask = {
  ...aTask,
  category: 'code',
  required_capabilities: ['counting'],
  expected_output: 'Ten words.',
  output_format: 'json',
  expires_in_days: 7,
  bounty: { amount: '1000000', network: BASE },
  escrow: false,
}

/** A body that each endpoint takes; those without a body are left out. */
const bodies: Partial<Record<EndpointName, () => unknown>> = {
  registerInit: () => ({ public_key: newPublicKey() }),
  registerComplete: () => ({
    challenge_id: randomUUID(),
    public_key: newPublicKey(),
    nonce: '00000000',
    signature: Buffer.alloc(64).toString('base64'),
    profile: {
      name: `agent ${randomUUID()}`,
      description: 'Counts.',
      capabilities: ['counting'],
      homepage: 'https://example.org/',
      skills: [{ name: 'counting', registry: 'npm', version: '1', private: false }],
    },
  }),
  updateAgent: () => ({
    description: 'Counts better.',
    protocols: ['mcp'],
    homepage: 'https://example.org/',
    contact_endpoint: 'https://example.org/agent',
    organization: 'Counters',
    tags: ['numbers'],
    version: '2',
    skills: [{ name: 'counting', registry: 'npm', version: '2', private: false }],
  }),
  submitVerification: () => ({
    assignment_id: randomUUID(),
    target_id: 'ag_somebody',
    result: 'pass',
    nonce: 'nonce',
    timestamp: '2026-01-31T12:00:00.000Z',
    signature: Buffer.alloc(64).toString('base64'),
    response_time_ms: 100,
    coherence_score: 0.5,
    notes: 'It counts.',
    structured_report: { capabilities_confirmed: ['counting'], capability_match: 1, safety_issues: [] },
  }),
  confirmIdentityLink: () => ({ state: 'a-state', code: 'a-code' }),
  setWallet: () => ({ wallet_address: `0x${'12'.repeat(20)}`, wallet_network: BASE }),
  postBond: () => ({ slots: 1 }),
  withdrawBond: () => ({ amount_atomic: '1' }),
  markEventsRead: () => ({ ids: ['evt_000000000000000000000000000000'] }),
  sendMessage: () => ({ type: 'message', subject: 'Hello', body: 'Is it done?' }),
  replyToMessage: () => ({ type: 'message', subject: 'Hello', body: 'It is.' }),
  giveFeedback: () => ({
    scope: 'task',
    taskId: 'task_1',
    environment: 'A test.',
    expectedBehavior: 'An answer.',
    actualBehavior: 'None.',
    stepsToReproduce: 'Call it.',
    errorCodes: ['not_found'],
    requestIds: ['req_0123456789'],
    suggestedImprovement: 'Answer.',
    skillVersion: '0.7.0',
    cliVersion: '0.7.0',
  }),
  linkToOwner: () => ({ code: '7KQ2M-XW4DP' }),
  signIn: () => ({ email: `owner-${randomUUID()}@example.org`, next: '/console/account' }),
  createTask: () => declaredTask,
  deliverTask: () => ({
    ...aDelivery,
    artifact_urls: ['https://example.org/a'],
    commit_hash: 'ab'.repeat(20),
    pr_url: 'https://example.org/pr/1',
  }),
  submitTask: () => ({ submission_type: 'json', content: '[1,10]', summary: 'Done.' }),
  acceptTask: () => ({ note: 'Thanks.', rating: 5, rating_comment: 'Good.' }),
  verifyTask: () => ({ note: 'Thanks.', rating: 5, rating_comment: 'Good.' }),
  submitIntake: () => ({ email: `owner-${randomUUID()}@example.org`, intake: anIntake }),
  createTestingRequest: () => ({ intake: anIntake }),
  requestRevision: () => ({ note: 'In Latin, please.' }),
  disputeTask: () => ({ reason: 'There is no seven.', rating: 1, rating_comment: 'Bad.' }),
  cancelTask: () => ({ reason: 'No longer needed.' }),
  hire: () => ({ ...hire, bounty_usdc: 1.5 }),
  hireUsd1: () => hire,
  hireUsd5: () => hire,
  hireUsd20: () => hire,
  acceptHire: () => ({ note: 'Thanks.', rating: 5, rating_comment: 'Good.' }),
  reviseHire: () => ({ note: 'In Latin, please.' }),
  disputeHire: () => ({ reason: 'There is no seven.', rating: 1 }),
  cancelHire: () => ({ reason: 'No longer needed.' }),
  createOwnerTask: () => declaredTask,
  acceptOwnerTask: () => ({ note: 'Thanks.', rating: 5, rating_comment: 'Good.' }),
  reviseOwnerTask: () => ({ note: 'In Latin, please.' }),
  disputeOwnerTask: () => ({ reason: 'There is no seven.', rating: 1 }),
  cancelOwnerTask: () => ({ reason: 'No longer needed.' }),
  faucet: () => ({ address: `0x${'12'.repeat(20)}`, network: BASE, usdc: '1' }),
  moveClock: () => ({ advance_seconds: 0 }),
  setFaults: () => ({ facilitator: 'ok', rpc: 'ok', times: 1 }),
}

/** Query strings that an endpoint cannot do without. */
const queries: Partial<Record<EndpointName, string>> = {
  inclusionProof: 'sequence=1&tree_size=2',
  consistencyProof: 'from=1&to=2',
}

export type SampleCall = {
  readonly name: EndpointName
  readonly declared: Endpoint
  readonly path: string
  readonly query: string
  readonly body: unknown
}

/** A call that is right in every way, for whoever may make it. */
export function sampleCall(name: EndpointName, targets: Targets): SampleCall {
  const endpoint = declared[name] as Endpoint
  const body = bodies[name]?.()
  if (endpoint.body !== undefined && body === undefined) throw new Error(`${name}: say what body it takes.`)
  return { name, declared: endpoint, path: pathOf(endpoint.path, targets), query: queries[name] ?? '', body }
}

/** A body as it goes out: JSON, or what a browser makes of a form. */
export function written(endpoint: Endpoint, body: unknown) {
  if (body === undefined) return { text: null, headers: {} }
  if (!endpoint.form) return { text: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const fields = Object.entries(body as object).map(([name, value]) => [name, asField(value)])
  return { text: String(new URLSearchParams(fields)), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
}

const asField = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
