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
