import { expect, test } from 'vitest'
import { forbidden, nestingFault, twice, valuesOf } from '../../tests/support/markup.ts'
import { deliveryView } from '../console/delivery-view.ts'
import type { OwnerTaskView } from '../console/views.ts'
import { type Html, textOf } from '../html.ts'
import { layout } from '../layout.ts'
import { type BoardPage, boardPage } from './board-page.ts'
import { ledgerPage } from './ledger-page.ts'
import { publicTaskPage } from './public-task-page.ts'
import { statusPage } from './status-page.ts'
import type { LedgerView, ListedTask, PublicTask, StatusView } from './views.ts'

const NOW = Date.UTC(2026, 0, 31)
const SEEN = { now: NOW, sandbox: false }
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
const AGENT = 'ag_4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

const task: ListedTask = {
  task_id: 'task_1',
  status: 'open',
  review_state: null,
  revision_count: 0,
  creator_kind: 'agent',
  creator: { kind: 'agent', id: AGENT, short_id: 'ag_4uQeVj5tq', name: 'Ada', cert: null, wallet: null },
  creator_agent_id: AGENT,
  claimed_by_agent_id: null,
  claim_expires_at: null,
  accepted_by: null,
  submission_public: false,
  payment_status: 'none',
  bounty: null,
  escrow: null,
  title: 'Count to ten',
  description: 'In French.',
  category: null,
  required_capabilities: ['counting'],
  expected_output: null,
  output_format: 'json',
  expires_in_days: 60,
  created_at: at(-180),
  claimed_at: null,
  submitted_at: null,
  verified_at: null,
  settled_at: null,
  disputed_at: null,
  revision_requested_at: null,
  cancelled_at: null,
  expires_at: at(60 * 1440 - 180),
  expired_at: null,
  review_note: null,
  rating: null,
  rating_comment: null,
  rating_context: null,
  rated_at: null,
  proposer_signature: null,
  acceptor_signature: null,
  bounty_amount: null,
  bounty_token: null,
  bounty_network: null,
  payment_tx_hash: null,
  auto_release_at: null,
  last_settle_error: null,
  payment_due: false,
  claimable: true,
}
const payment: PublicTask['payment'] = {
  task_id: 'task_1',
  bounty: null,
  status: 'none',
  verified: false,
  settled: false,
  tx_hash: null,
  settled_at: null,
  expires_at: null,
  auto_release_at: null,
  accepted_by: null,
  payer: null,
  last_error: null,
  settle_attempts: 0,
  next_settle_at: null,
  payment_due: false,
  escrow: null,
  pay_to: null,
}
const escrow: NonNullable<ListedTask['escrow']> = {
  status: 'funded',
  leg: null,
  wallet: `0x${'1'.repeat(40)}`,
  payer: `0x${'2'.repeat(40)}`,
  deposit_tx_hash: `0x${'3'.repeat(64)}`,
  funded_at: at(-179),
  release_tx_hash: null,
  released_at: null,
  refund_tx_hash: null,
  refunded_at: null,
  settle_error: null,
}
const bounty = { amount_atomic: '5000000', amount_display: '5.00', token: 'USDC', network: 'eip155:8453' } as const
const shown: PublicTask = { ok: true, task, submission: null, delivery_receipt: null, receipts_count: 0, payment }
const submission: NonNullable<PublicTask['submission']> = {
  submission_id: 'sub_1',
  task_id: 'task_1',
  agent_id: AGENT,
  submission_type: 'json',
  content: HOSTILE,
  summary: HOSTILE,
  artifact_urls: ['javascript:alert(1)', 'https://example.org/a'],
  commit_hash: null,
  pr_url: null,
  created_at: at(-10),
}
const board: BoardPage = { tasks: [task], status: 'open', capability: null, page: 1, hasMore: false, now: NOW }
const hash = 'ab'.repeat(32)
const entry: LedgerView['entries'][number] = {
  sequence: 1234,
  entry_type: 'registration',
  agent_id: AGENT,
  agent_name: 'Ada',
  public_key: null,
  profile_hash: hash,
  previous_hash: hash,
  entry_hash: hash,
  timestamp: at(-5),
}
const ledger: LedgerView = {
  entries: [entry],
  total: 1234,
  checkpoints: [{ sequence: 2, entry_hash: hash, tree_size: 2, root_hash: hash, issued_at: at(-60), signature: 's' }],
  verification: 'Each hash covers the one before it.',
}
const status: StatusView = {
  service: 'Guildhall',
  version: '0.7.0',
  payments: 'enabled',
  escrow: 'disabled',
  agentid: 'disabled',
  networks: ['eip155:8453'],
  agents: { total: 12, active: 11 },
  tasks: {
    open: 1234,
    claimed: 0,
    submitted: 0,
    verified: 0,
    closed: 0,
    cancelled: 0,
    expired: 0,
    total: 1234,
    paid: 3,
    paid_usdc_total: '20414.50',
  },
  ledger: { entries: 99 },
  computed_at: at(0),
}
const ledgerShown = { ledger, page: 1, hasMore: true, baseUrl: 'http://127.0.0.1:8787', now: NOW }

const hostileTask: ListedTask = {
  ...task,
  title: HOSTILE,
  description: HOSTILE,
  expected_output: HOSTILE,
  required_capabilities: [HOSTILE],
  creator: { ...task.creator, name: HOSTILE },
  review_note: HOSTILE,
  rating: 1,
  rating_comment: HOSTILE,
  last_settle_error: HOSTILE,
}
const pages: Readonly<Record<string, Html>> = {
  'an empty board': boardPage({ ...board, tasks: [] }),
  'a board': boardPage({ ...board, tasks: [task, hostileTask], capability: HOSTILE, page: 2, hasMore: true }),
  'a task': publicTaskPage(shown, SEEN),
  'a hostile task': publicTaskPage(
    { ...shown, task: hostileTask, submission, payment: { ...payment, last_error: HOSTILE } },
    SEEN,
  ),
  'the ledger': ledgerPage({
    ...ledgerShown,
    ledger: { ...ledger, entries: [entry, { ...entry, agent_name: HOSTILE }], verification: HOSTILE },
  }),
  'the status': statusPage({ ...status, service: HOSTILE, networks: [HOSTILE] }),
}

test.each(Object.entries(pages))('%s is well formed and shows what others wrote as text', (_, main) => {
  const page = layout({ serviceName: 'Guildhall', title: HOSTILE, path: '/board', main })
  expect(nestingFault(page)).toBeNull()
  expect(forbidden(page.replaceAll(/&lt;.*?&gt;|javascript:alert\(1\)<\/a>/g, ''))).toEqual([])
  expect(page).not.toMatch(/<img|<script/)
  expect(page.match(/<h1[ >]/g)).toHaveLength(1)
  const ids = valuesOf(page, 'id')
  expect(twice(ids)).toEqual([])
  expect(valuesOf(page, 'aria-labelledby').filter((id) => !ids.includes(id))).toEqual([])
  expect(valuesOf(page, 'href').filter((href) => !/^(\/|#|https:\/\/)/.test(href))).toEqual([])
})

test('the board says of a task what it is, what it pays, what it needs and how old it is', () => {
  const rich = { ...task, bounty, escrow, required_capabilities: ['a', 'b', 'c', 'd', 'e', 'f'] }
  const page = textOf(boardPage({ ...board, tasks: [rich] }))
  for (const text of ['Count to ten', '5.00 USDC', 'in escrow', '>a</span>', 'and 2 more', 'Posted 3 hours ago'])
    expect(page).toContain(text)
  expect(page).toContain('href="/board/task_1"')
  expect(textOf(boardPage(board))).toContain('Free')
  expect(textOf(boardPage({ ...board, tasks: [{ ...task, bounty }] }))).toContain('paid on acceptance')
})

test('the lists of the board keep what they are narrowed to, and pages lead on and back', () => {
  const page = textOf(boardPage({ ...board, capability: 'a&b', page: 2, hasMore: true, status: 'claimed' }))
  const links = valuesOf(page, 'href')
  expect(links).toContain('/board?capability=a%26b')
  expect(links).toContain('/board?status=claimed&amp;capability=a%26b')
  expect(links).toContain('/board?status=claimed&amp;capability=a%26b&amp;page=3')
  expect(links).toContain('/board?status=claimed')
  expect(links).toContain('/v1/tasks?status=claimed&amp;capability=a%26b')
  expect(textOf(boardPage(board))).not.toContain('class="pager"')
})

test('a delivery leads to the profile of the agent that made it, on the board and in the console', () => {
  const view = { task, submission, receipts: [], next_actions: [] } as unknown as OwnerTaskView
  const visitor = { email: 'ada@example.org', csrfToken: 'x', now: NOW }
  for (const page of [publicTaskPage({ ...shown, submission }, SEEN), deliveryView(view, visitor)])
    expect(page && textOf(page)).toContain(`By <code><a href="/v1/agents/${AGENT}">${AGENT}</a></code>`)
})

test('a page beyond the last one leads to the first', () => {
  const beyond = textOf(boardPage({ ...board, tasks: [], status: 'claimed', page: 100 }))
  expect(beyond).toContain('<a href="/board?status=claimed">Newest</a>')
  expect(beyond).not.toContain('page=99')
  const entries = textOf(ledgerPage({ ...ledgerShown, ledger: { ...ledger, entries: [] }, page: 100, hasMore: false }))
  expect(entries).toContain('<a href="/ledger">Newest</a>')
})

test('an empty board says whether it is narrowed: other tasks may be open', () => {
  const empty = { ...board, tasks: [] }
  expect(textOf(boardPage(empty))).toContain('No task is open right now.')
  const narrowed = textOf(boardPage({ ...empty, capability: 'counting' }))
  expect(narrowed).toContain('No task in this list asks for it.')
  expect(narrowed).not.toContain('No task is open right now.')
})

test('the reason for which a task was cancelled is no judgement of an agent’s work', () => {
  const cancelled = { ...task, status: 'cancelled', review_note: 'No need.' } as const
  const page = textOf(publicTaskPage({ ...shown, task: cancelled }, SEEN))
  expect(page).toContain('The poster’s note</h2><div class="others" dir="auto">No need.')
  expect(page).not.toContain('judgement')
  expect(textOf(publicTaskPage({ ...shown, task: { ...cancelled, rating: 5 } }, SEEN))).toContain('judgement')
})

test.each<[string, Partial<ListedTask>]>([
  ['Any agent may claim it now. It expires', {}],
  ['as soon as its deposit has settled', { claimable: false, bounty, escrow: { ...escrow, status: 'funding' } }],
  ['until the poster has paid', { claimable: false, bounty, escrow: { ...escrow, status: 'unfunded' } }],
  ['The claim lapses', { status: 'claimed', claim_expires_at: at(1440) }],
  ['The poster asked for changes', { status: 'claimed', review_state: 'revision_requested' }],
  ['it is accepted automatically', { status: 'submitted', auto_release_at: at(1440) }],
  ['has disputed the delivery', { status: 'submitted', review_state: 'disputed' }],
  ['The poster accepted it.', { status: 'verified', accepted_by: 'creator' }],
  ['the agent has been paid', { status: 'verified', accepted_by: 'auto', bounty, payment_status: 'settled' }],
  ['its bounty is not paid yet', { status: 'verified', bounty, payment_due: true }],
  ['the payment is on its way', { status: 'verified', bounty, payment_status: 'settling' }],
  ['Nobody claimed it in time.', { status: 'expired' }],
  ['The poster cancelled it.', { status: 'cancelled' }],
])('the page of a task says where it stands: %s', (words, more) => {
  const page = textOf(
    publicTaskPage({ ...shown, task: { ...task, claimable: more.status === undefined, ...more } }, SEEN),
  )
  expect(page).toContain(words)
})

test('a declared bounty is nowhere said to be held', () => {
  const declared = { ...task, bounty, payment_status: 'pending' } as const
  const page = textOf(publicTaskPage({ ...shown, task: declared, payment: { ...payment, status: 'pending' } }, SEEN))
  expect(page).toContain('with the poster, who pays when accepting')
  expect(page).not.toContain('in escrow')
})

test('the ledger shows entries, checkpoints and how to verify them', () => {
  const page = textOf(ledgerPage(ledgerShown))
  for (const text of ['1,234 entries', 'An agent registered', 'Root of 2 entries', ledger.verification])
    expect(page).toContain(text)
  expect(page).toContain('verify chain --url http://127.0.0.1:8787')
  expect(valuesOf(page, 'href')).toContain('/ledger?page=2')
})

test('the status says what is on and what is off, with its numbers', () => {
  const page = textOf(statusPage(status))
  for (const text of ['<dd>1,234</dd>', '<dd>20,414.50</dd>', '>On</span>', '>Off</span>', '>Base</span>'])
    expect(page).toContain(text)
})
