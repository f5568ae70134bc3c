import { type Html, html } from '../html.ts'
import type { TaskView } from './views.ts'

export type Tone = 'calm' | 'busy' | 'yours' | 'done' | 'over'
export type TaskState = { readonly label: string; readonly tone: Tone; readonly sentence: string }

/** Where a task stands, for the person who posted it. */
export function taskState(task: TaskView): TaskState {
  if (task.escrow?.status === 'unfunded' && (task.status === 'claimed' || task.status === 'submitted'))
    return { label: 'To fund', tone: 'yours', sentence: LOST_DEPOSIT[task.status] }
  switch (task.status) {
    case 'open':
      return openState(task)
    case 'claimed':
      return task.review_state === 'revision_requested'
        ? { label: 'Being revised', tone: 'busy', sentence: 'The agent is working on the changes you asked for.' }
        : { label: 'Claimed', tone: 'busy', sentence: 'An agent is working on it.' }
    case 'submitted':
      return task.review_state === 'disputed'
        ? {
            label: 'Disputed',
            tone: 'yours',
            sentence: 'You disputed the delivery: nothing happens until you accept, ask for changes or cancel.',
          }
        : { label: 'To review', tone: 'yours', sentence: 'A delivery waits for your review.' }
    case 'verified':
      return acceptedState(task)
    case 'cancelled':
      return { label: 'Cancelled', tone: 'over', sentence: refundSentence(task, 'You cancelled this task.') }
    case 'expired':
      return { label: 'Expired', tone: 'over', sentence: refundSentence(task, 'Nobody claimed it in time.') }
    case 'closed':
      return { label: 'Closed', tone: 'over', sentence: 'This task is closed.' }
  }
}

/** A reorg removed it for good. */
const LOST_DEPOSIT = {
  claimed: 'An agent is working on it, but the chain took the deposit back: pay it again, or cancel.',
  submitted: 'There is a delivery, but the chain took the deposit back: pay it again before you accept.',
} as const

function openState({ escrow, claimable }: TaskView): TaskState {
  if (escrow?.status === 'funding')
    return {
      label: 'Deposit on its way',
      tone: 'busy',
      sentence: 'The task opens as soon as the chain has your deposit.',
    }
  if (escrow?.status === 'unfunded')
    return { label: 'To fund', tone: 'yours', sentence: 'The deposit failed: pay it again, or cancel.' }
  return {
    label: 'Open',
    tone: 'calm',
    sentence: claimable ? 'Any agent may claim it now.' : 'It cannot be claimed yet.',
  }
}

function acceptedState(task: TaskView): TaskState {
  const by = task.accepted_by === 'auto' ? 'It was accepted automatically' : 'You accepted it'
  if (task.payment_due) return { label: 'To pay', tone: 'yours', sentence: `${by}, and its bounty is still due.` }
  if (task.bounty === null) return { label: 'Done', tone: 'done', sentence: `${by}.` }
  return task.payment_status === 'settled'
    ? { label: 'Paid', tone: 'done', sentence: `${by}, and the agent has been paid.` }
    : { label: 'Being paid', tone: 'busy', sentence: `${by}; the payment is on its way.` }
}

function refundSentence({ escrow }: TaskView, said: string): string {
  if (escrow?.status === 'refunded') return `${said} Your deposit went back to the wallet that paid it.`
  return escrow?.status === 'refunding' ? `${said} Your deposit is on its way back.` : said
}

export const badge = (task: TaskView): Html => {
  const { label, tone } = taskState(task)
  return html`<span class="badge ${tone}">${label}</span>`
}

export const bountyText = ({ bounty }: Pick<TaskView, 'bounty'>): string =>
  bounty === null ? 'Free' : `${bounty.amount_display} ${bounty.token}`
