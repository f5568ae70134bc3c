import { type Html, html } from '../html.ts'
import { deliveryView } from './delivery-view.ts'
import { deadline } from './distance.ts'
import { moneyOfPoster, moneyView } from './money-view.ts'
import { othersText } from './others-text.ts'
import { reviewForms, type Typed } from './review-forms.ts'
import { badge, taskState } from './task-state.ts'
import { timeline } from './timeline.ts'
import type { OwnerTaskView, PayNetwork, Visitor } from './views.ts'

export type TaskPage = {
  readonly view: OwnerTaskView
  readonly networks: readonly PayNetwork[]
  readonly visitor: Visitor
  readonly sandbox: boolean
  /** Why the last action here failed. */
  readonly problem?: string | undefined
  readonly typed?: Typed | undefined
}

/** One task of the owner: where it stands, what was delivered, and everything that can be done about it. */
export function taskPage({ view, networks, visitor, sandbox, problem, typed }: TaskPage): Html {
  const { task, next_actions: actions } = view
  const forms = reviewForms({ task, actions, networks, visitor, typed })
  return html`<article class="sheet task">
<p class="crumbs"><a href="/console">Console</a></p>
<h1 dir="auto">${task.title}</h1>
<p class="state">${badge(task)} ${taskState(task).sentence} ${ahead(view, visitor)}</p>
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<div class="columns"><div class="main-column">
${deliveryView(view, visitor)}
${forms.length > 0 && html`<section class="actions-list" aria-labelledby="decide"><h2 id="decide">What you can do</h2>${forms}</section>`}
${asked(view)}
</div><aside aria-label="About this task">
${moneyView(view, moneyOfPoster, sandbox)}
${timeline(view)}
${proofs(view)}
</aside></div>
</article>`
}

const TIMERS: Readonly<Record<string, string>> = {
  auto_accept: 'Without a decision it is accepted automatically',
  claim_lapses: 'The claim lapses',
  expire: 'It expires',
}

/** What happens next if nobody acts. */
function ahead({ next_actions }: OwnerTaskView, { now }: Visitor): Html | null {
  const timer = next_actions.find(({ who }) => who === 'service')
  if (!timer || timer.deadline === null) return null
  return html`${TIMERS[timer.rel]} ${deadline(timer.deadline, now)}.`
}

function asked({ task }: OwnerTaskView): Html {
  const { description, expected_output, required_capabilities: needed, review_note, rating, rating_comment } = task
  return html`<section class="asked" aria-labelledby="asked"><h2 id="asked">What you asked for</h2>
<div class="card">${othersText(description)}
${expected_output && html`<h3>Expected</h3>${othersText(expected_output)}`}
${needed.length > 0 && html`<h3>Capabilities</h3><p>${needed.map((name) => html`<span class="tag" dir="auto">${name}</span> `)}</p>`}
</div>
${review_note && html`<h3>Your last note</h3>${othersText(review_note)}`}
${rating !== null && html`<h3>Your rating</h3><p>${rating} of 5${rating_comment && html`: <bdi>${rating_comment}</bdi>`}</p>`}
</section>`
}

/** Everybody can check these against the public ledger. */
function proofs({ task, receipts }: OwnerTaskView): Html {
  const receipt = ({ receipt_id, chain_sequence }: (typeof receipts)[number]) =>
    html`<li><code>${receipt_id}</code>${chain_sequence !== null && html`<br><a href="/v1/chain/${chain_sequence}">Ledger entry ${chain_sequence}</a>`}</li>`
  return html`<section class="card side"><h2>Proofs</h2>
${receipts.length > 0 ? html`<ul class="plain-list">${receipts.map(receipt)}</ul>` : html`<p>Every delivery leaves a signed receipt here.</p>`}
<p><a href="/board/${task.task_id}">What everybody sees</a></p></section>`
}
