import { limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { textOf } from '../html.ts'
import { distance } from './distance.ts'
import { moneyInPublic, moneyOfPoster, moneyView } from './money-view.ts'
import { newTaskPage } from './new-task-page.ts'
import { othersLink, othersText } from './others-text.ts'
import { overviewPage } from './overview-page.ts'
import { reviewForms } from './review-forms.ts'
import { taskPage } from './task-page.ts'
import { taskState } from './task-state.ts'
import type { NextActionView, OwnerTaskView, TaskView } from './views.ts'

const NOW = Date.UTC(2026, 0, 31)
const after = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
const MOST = limits.bounty.maxAtomic
const visitor = { email: 'ada@example.org', csrfToken: 'token', now: NOW }

test.each([
  [0.5, 'in a moment'],
  [-0.5, 'just now'],
  [1, 'in 1 minute'],
  [110, 'in 110 minutes'],
  [119, 'in 2 hours'],
  [121, 'in 2 hours'],
  [-600, '10 hours ago'],
  [2 * 1440, 'in 2 days'],
  [7 * 1440 - 1, 'in 7 days'],
  [7 * 1440 - 61, 'in 6 days'],
  [60 * 1440 - 0.01, 'in 60 days'],
  [-3 * 1440 + 1, '2 days ago'],
])('a moment that is %s minutes away is %s', (minutes, words) => {
  expect(distance(after(minutes), NOW)).toBe(words)
})

test('what others wrote is text, and their addresses lead nowhere but to the web', () => {
  expect(textOf(othersText('<b>&'))).toContain('&lt;b&gt;&amp;')
  expect(textOf(othersLink('https://exämple.org/a"b'))).toContain('href="https://xn--exmple-cua.org/a%22b"')
  expect(textOf(othersLink('javascript:alert(1)'))).toContain('href="#"')
})

test('what a poster wrote from right to left leaves the words around it in their order', () => {
  const texts = { title: 'T', description: 'D', required_capabilities: ['عدّ'], rating: 4, rating_comment: 'שלום' }
  const never = ['claimed', 'revision_requested', 'disputed', 'verified', 'settled', 'cancelled', 'expired']
  const times = { created_at: after(0), ...Object.fromEntries(never.map((what) => [`${what}_at`, null])) }
  const money = { bounty: null, escrow: null }
  const task = { task_id: 'task_1', status: 'verified', ...money, ...texts, ...times } as unknown as TaskView
  const view = { task, submission: null, receipts: [], next_actions: [] } as unknown as OwnerTaskView
  const page = textOf(taskPage({ view, networks: [], visitor, sandbox: false }))
  expect(page).toContain('4 of 5: <bdi>שלום</bdi>')
  expect(page).toContain('<span class="tag" dir="auto">عدّ</span>')
})

test('somebody without tasks is told what to do', () => {
  const page = textOf(overviewPage({ tasks: [], waiting: [], older: null, agents: [], visitor }))
  expect(page).toContain('You have not posted anything yet.')
  expect(page).not.toContain('Waiting for you')
})

test.each([
  ['claimed', 'An agent is working on it, but the chain took the deposit back: pay it again, or cancel.'],
  ['submitted', 'There is a delivery, but the chain took the deposit back: pay it again before you accept.'],
] as const)('whoever has to pay a deposit again while the task is %s is told so', (status, sentence) => {
  const task = { status, review_state: null, escrow: { status: 'unfunded' } } as TaskView
  expect(taskState(task)).toEqual({ label: 'To fund', tone: 'yours', sentence })
})

test.each([
  [
    'is accepted and not paid is due',
    'pending',
    true,
    'with you: its payment is due',
    'with the poster: its payment is due',
  ],
  ['is not accepted is not due', 'pending', false, 'you pay the agent when you accept', 'who pays when accepting'],
  [
    'was signed is on its way, even while an attempt fails',
    'failed',
    false,
    'on its way to the agent',
    'on its way to the agent',
  ],
  ['can never arrive is not paid', 'expired', true, 'not paid', 'not paid'],
] as const)('a declared bounty that %s', (_, status, payment_due, toPoster, toOthers) => {
  const bounty = { amount_atomic: '5000000', amount_display: '5.00', token: 'USDC', network: 'eip155:8453' }
  const task = { bounty, escrow: null, payment_tx_hash: null, payment_due } as TaskView
  const payment = { status, payment_due, payer: null, pay_to: null, last_error: null } as OwnerTaskView['payment']
  const words = [moneyOfPoster, moneyInPublic].map((place) => textOf(moneyView({ task, payment }, place, false)))
  expect(words).toEqual([toPoster, toOthers].map((text) => expect.stringContaining(text)))
})

test('a transaction leads to the block explorer of its chain, which knows nothing of a sandbox', () => {
  const bounty = { amount_atomic: '5000000', amount_display: '5.00', token: 'USDC', network: 'eip155:8453' }
  const hash = `0x${'ab'.repeat(32)}`
  const task = { bounty, escrow: null, payment_tx_hash: hash } as TaskView
  const payment = { status: 'settled', payer: null, pay_to: null, last_error: null } as OwnerTaskView['payment']
  const [real, play] = [false, true].map((sandbox) => textOf(moneyView({ task, payment }, moneyInPublic, sandbox)))
  expect(real).toContain(`href="https://basescan.org/tx/${hash}"`)
  expect(play).toContain(`<code>${hash}</code>`)
  expect(play).not.toContain('href')
})

test('without networks there is nothing to pay with, and the form asks for no money', () => {
  const base = { minimumUsdc: '0.10', mostInEscrow: MOST, mostDays: 90, escrowAvailable: false, formId: 'x', visitor }
  expect(textOf(newTaskPage({ ...base, networks: [] }))).not.toContain('Bounty')
  const network = { network: 'eip155:8453', name: 'Base', escrowOnly: false, rpcUrl: null, currency: 'ETH' }
  const page = textOf(newTaskPage({ ...base, networks: [network] }))
  expect(page).toContain('On acceptance.')
  expect(page).not.toContain('Escrow.')
})

test('a task is kept open for no more days than the service allows, and a bounty is as large as it allows', () => {
  const network = { network: 'eip155:8453', name: 'Base', escrowOnly: false, rpcUrl: null, currency: 'ETH' }
  const base = {
    networks: [network],
    minimumUsdc: '0.10',
    mostInEscrow: MOST,
    escrowAvailable: true,
    formId: 'x',
    visitor,
  }
  const page = textOf(newTaskPage({ ...base, mostDays: 14 }))
  expect(page).toContain('type="number" value="14" min="1" max="14"')
  expect(page).toContain('From 0.10 to 1,000.00. Left empty')
  const lower = textOf(newTaskPage({ ...base, mostDays: 14, mostInEscrow: 50_000_000n }))
  expect(lower).toContain('From 0.10 to 1,000.00, in escrow to 50.00. Left empty')
  expect(textOf(newTaskPage({ ...base, mostDays: 90 }))).toContain('type="number" value="60" min="1" max="90"')
})

test.each(['accept', 'revision', 'dispute', 'cancel'])('what a person writes to %s is said to be public', (rel) => {
  const actions = [{ rel, who: 'poster', deadline: null } as NextActionView]
  const task = { task_id: 'task_1', revision_count: 0, bounty: null, escrow: null } as TaskView
  expect(reviewForms({ task, actions, networks: [], visitor }).map(textOf).join()).toContain('Public on the task.')
})

test.each([
  [3 * 1440, 'Possible for another 3 days.'],
  [1, 'Possible for another 1 minute.'],
  [0.5, 'Possible for a moment longer.'],
  [-0.5, 'Possible for a moment longer.'],
])('what is possible for %s minutes says so in words', (minutes, words) => {
  const actions = [{ rel: 'revision', who: 'poster', deadline: after(minutes) } as NextActionView]
  const task = { task_id: 'task_1', revision_count: 0 } as TaskView
  const [form] = reviewForms({ task, actions, networks: [], visitor })
  expect(form && textOf(form)).toContain(words)
  expect(form && textOf(form)).toContain('The agent gets 7 days to deliver again.')
})
