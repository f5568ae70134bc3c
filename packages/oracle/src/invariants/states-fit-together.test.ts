import { expect, test } from 'vitest'
import type { Books } from '../books/read-books.ts'
import { statesFitTogether } from './states-fit-together.ts'

const NOW = 1_760_000_000_000
const shown = { status: 'open', category: null, bounty_amount: null, created_at: NOW }
const task = {
  ...shown,
  id: 'task_1',
  payment_status: 'none',
  claimed_by: null,
  claimed_at: null,
  cancelled_at: null,
  expired_at: null,
  verified_at: null,
  accepted_by: null,
  settled_at: null,
  review_state: null,
  revision_count: 0,
}

test('tasks show capabilities as they were sent, and are found by them in lower case and without blanks around', () => {
  const broken = (capability: string) => {
    const tasks = [{ ...task, required_capabilities: [' French ', 'french'] }]
    const capabilities = [{ ...shown, task_id: 'task_1', capability }]
    const books = { tasks, capabilities, paymentEvents: [] } as unknown as Books
    return [...statesFitTogether.broken({ books, chains: [], escrowWallet: '0x', now: null })]
  }
  expect(broken('french')).toEqual([])
  expect(broken(' french ')).toHaveLength(1)
})

test('a task is found among those of its status, where claimed and submitted are one', () => {
  const broken = (status: string, shownAs: string) => {
    const tasks = [{ ...task, status, claimed_by: 'ag_1', claimed_at: NOW, required_capabilities: ['french'] }]
    const capabilities = [{ ...shown, status: shownAs, task_id: 'task_1', capability: 'french' }]
    const books = { tasks, capabilities, paymentEvents: [] } as unknown as Books
    return [...statesFitTogether.broken({ books, chains: [], escrowWallet: '0x', now: null })]
  }
  expect(broken('submitted', 'claimed')).toEqual([])
  expect(broken('claimed', 'submitted')).toEqual([])
  expect(broken('claimed', 'open')).toHaveLength(1)
})
