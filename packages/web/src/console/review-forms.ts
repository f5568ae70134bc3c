import { days, limits, MINUTE } from '@guildhall/protocol'
import { csrfField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { distance } from './distance.ts'
import { ratingFields, textArea } from './fields.ts'
import { paymentAttributes, paymentPanel } from './payment-data.ts'
import type { NextActionView, PayNetwork, TaskView, Visitor } from './views.ts'

export type Review = {
  readonly task: TaskView
  readonly actions: readonly NextActionView[]
  readonly networks: readonly PayNetwork[]
  readonly visitor: Visitor
  readonly typed?: Typed | undefined
}

/** What was typed into a form that was refused, by the last part of its path: it is shown again. */
export type Typed = { readonly form: string; readonly fields: Readonly<Record<string, string>> }

const isTyped = ({ typed }: Review, form: string): boolean => typed?.form === form

const typedIn = (review: Review, form: string): Typed['fields'] =>
  isTyped(review, form) ? (review.typed?.fields ?? {}) : {}

/** A form for each action that the poster can take now. */
export function reviewForms(review: Review): readonly Html[] {
  return review.actions
    .filter(({ who }) => who === 'poster')
    .flatMap((action) => FORMS[action.rel]?.(review, action) ?? [])
}

type Form = (review: Review, action: NextActionView) => Html

/** A delivery is private; what is written about it is not. */
const PUBLIC = 'Public on the task.'

const at = ({ task_id }: TaskView, verb: string): string => `/console/tasks/${task_id}/${verb}`

function until({ deadline }: NextActionView, { now }: Visitor): Html | null {
  if (deadline === null) return null
  const isNear = Date.parse(deadline) - now < MINUTE
  const left = isNear ? 'a moment longer' : distance(deadline, now).replace('in ', 'another ')
  return html`<p class="hint">Possible for ${left}.</p>`
}

/** A declared bounty is paid on acceptance; one in escrow only has to be released. */
const accept: Form = (review) => {
  const { task, networks, visitor } = review
  const typed = typedIn(review, 'accept')
  const { bounty, escrow } = task
  const pays = bounty !== null && escrow === null
  const price = bounty ? { amount: bounty.amount_atomic, network: bounty.network } : undefined
  const data = {
    kind: 'accept',
    api: `/v1/owner/tasks/${task.task_id}/accept`,
    payee: 'The agent',
    networks,
    price,
  } as const
  const verb = bounty === null ? 'Accept' : `Accept and pay ${bounty.amount_display} USDC`
  return html`<form class="card action main-action" method="post" action="${at(task, 'accept')}"${pays && paymentAttributes(visitor, data)}>
<h3>Accept the delivery</h3>
<p>${acceptWords(task)}</p>
${csrfField(visitor.csrfToken)}
${ratingFields('accept', typed)}
${textArea('accept', { name: 'note', label: 'Note to the agent', max: limits.review.note, rows: 2, hint: PUBLIC, value: typed.note })}
<button type="submit">${verb}</button>
${pays && paymentPanel}
</form>`
}

function acceptWords({ bounty, escrow }: TaskView): string {
  if (bounty === null) return 'The task is done then. This cannot be undone.'
  return escrow === null
    ? 'Your wallet pays the agent directly, and the task is done. This cannot be undone.'
    : 'The deposit is released to the agent’s wallet, and the task is done. This cannot be undone.'
}

/** Less common actions stay folded until they are opened, or have to be corrected. */
const folded = (title: string, open: boolean, form: Html): Html =>
  html`<details class="card action"${open && html` open`}><summary><h3>${title}</h3></summary>${form}</details>`

const revision: Form = (review, action) => {
  const { task, visitor } = review
  return folded(
    'Ask for changes',
    isTyped(review, 'revision'),
    html`<form method="post" action="${at(task, 'revision')}">
<p>The agent gets ${days(limits.task.claimWindowMs)} to deliver again. ${roundsLeft(task)}</p>
${csrfField(visitor.csrfToken)}
${textArea('revision', { name: 'note', label: 'What has to change', max: limits.review.note, required: true, rows: 4, hint: PUBLIC, value: typedIn(review, 'revision').note })}
${until(action, visitor)}
<button class="quiet" type="submit">Ask for changes</button>
</form>`,
  )
}

function roundsLeft({ revision_count }: TaskView): string {
  const left = limits.task.revisionRounds - revision_count
  return left === 1 ? 'This is the last round.' : `${left} rounds are left.`
}

const dispute: Form = (review, action) => {
  const { task, visitor } = review
  const typed = typedIn(review, 'dispute')
  return folded(
    'Dispute it',
    isTyped(review, 'dispute'),
    html`<form method="post" action="${at(task, 'dispute')}">
<p>Automatic acceptance stops. Afterwards you can still accept, ask for changes, or cancel.</p>
${csrfField(visitor.csrfToken)}
${textArea('dispute', { name: 'reason', label: 'What is wrong', max: limits.review.reason, required: true, rows: 4, hint: PUBLIC, value: typed.reason })}
${ratingFields('dispute', typed)}
${until(action, visitor)}
<button class="quiet" type="submit">Dispute the delivery</button>
</form>`,
  )
}

const cancel: Form = (review) => {
  const { task, visitor } = review
  return folded(
    'Cancel the task',
    isTyped(review, 'cancel'),
    html`<form method="post" action="${at(task, 'cancel')}">
<p>${task.escrow?.status === 'funded' ? 'The deposit goes back to the wallet that paid it.' : 'Nothing is paid.'} This cannot be undone.</p>
${csrfField(visitor.csrfToken)}
${textArea('cancel', { name: 'reason', label: 'Reason', max: limits.review.reason, rows: 2, hint: PUBLIC, value: typedIn(review, 'cancel').reason })}
<button class="danger" type="submit">Cancel the task</button>
</form>`,
  )
}

const payment =
  (kind: 'accept' | 'fund', title: string, words: string, payee: string): Form =>
  ({ task, networks, visitor }) => {
    const { bounty, task_id } = task
    if (bounty === null) return html``
    const price = { amount: bounty.amount_atomic, network: bounty.network }
    const data = { kind, api: `/v1/owner/tasks/${task_id}/${kind}`, payee, networks, price }
    return html`<form class="card action main-action" method="post" action="${at(task, kind)}"${paymentAttributes(visitor, data)}>
<h3>${title}</h3>
<p>${words}</p>
${csrfField(visitor.csrfToken)}
<button type="submit">Pay ${bounty.amount_display} USDC</button>
${paymentPanel}
</form>`
  }

const FORMS: Readonly<Record<string, Form>> = {
  accept,
  revision,
  dispute,
  cancel,
  fund: payment(
    'fund',
    'Pay the deposit',
    'It is held in escrow until you accept the work, and goes back if you cancel.',
    'Escrow',
  ),
  pay: payment('accept', 'Pay the bounty', 'The work is accepted. Your wallet pays the agent directly.', 'The agent'),
}
