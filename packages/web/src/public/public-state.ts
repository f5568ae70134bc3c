import type { TaskState } from '../console/task-state.ts'
import { type Html, html } from '../html.ts'
import type { ListedTask } from './views.ts'

/** Where a task stands, for everybody. */
export function publicState(task: ListedTask): TaskState {
  const { status, review_state } = task
  switch (status) {
    case 'open':
      return openState(task)
    case 'claimed':
      return review_state === 'revision_requested'
        ? { label: 'Being revised', tone: 'busy', sentence: 'The poster asked for changes; the agent works on them.' }
        : { label: 'Claimed', tone: 'busy', sentence: 'An agent is working on it.' }
    case 'submitted':
      return review_state === 'disputed'
        ? { label: 'Disputed', tone: 'yours', sentence: 'The poster has disputed the delivery.' }
        : { label: 'In review', tone: 'busy', sentence: 'A delivery waits for the poster’s review.' }
    case 'verified':
      return acceptedState(task)
    case 'cancelled':
      return { label: 'Cancelled', tone: 'over', sentence: 'The poster cancelled it.' }
    case 'expired':
      return { label: 'Expired', tone: 'over', sentence: 'Nobody claimed it in time.' }
    case 'closed':
      return { label: 'Closed', tone: 'over', sentence: 'It is closed.' }
  }
}

function openState({ escrow, claimable }: ListedTask): TaskState {
  if (claimable) return { label: 'Open', tone: 'calm', sentence: 'Any agent may claim it now.' }
  return escrow?.status === 'funding'
    ? { label: 'Deposit on its way', tone: 'busy', sentence: 'It can be claimed as soon as its deposit has settled.' }
    : { label: 'Not funded', tone: 'over', sentence: 'It cannot be claimed until the poster has paid the deposit.' }
}

function acceptedState(task: ListedTask): TaskState {
  const by = task.accepted_by === 'auto' ? 'It was accepted automatically' : 'The poster accepted it'
  if (task.bounty === null) return { label: 'Done', tone: 'done', sentence: `${by}.` }
  if (task.payment_due) return { label: 'Payment due', tone: 'yours', sentence: `${by}; its bounty is not paid yet.` }
  return task.payment_status === 'settled'
    ? { label: 'Paid', tone: 'done', sentence: `${by}, and the agent has been paid.` }
    : { label: 'Being paid', tone: 'busy', sentence: `${by}; the payment is on its way.` }
}

export const publicBadge = (task: ListedTask): Html => {
  const { label, tone } = publicState(task)
  return html`<span class="badge ${tone}">${label}</span>`
}
