import { days, limits } from '@guildhall/protocol'
import { agentLink } from '../console/agent-link.ts'
import { delivered } from '../console/delivery-view.ts'
import { deadline } from '../console/distance.ts'
import { moneyInPublic, moneyView } from '../console/money-view.ts'
import { othersText } from '../console/others-text.ts'
import { bountyText } from '../console/task-state.ts'
import { time } from '../console/time.ts'
import { timeline } from '../console/timeline.ts'
import { type Html, html } from '../html.ts'
import { capabilityPath } from './board-page.ts'
import { publicBadge, publicState } from './public-state.ts'
import type { ListedTask, PublicTask } from './views.ts'

type At = { readonly now: number; readonly sandbox: boolean }

/** One task as everybody may see it. */
export function publicTaskPage(shown: PublicTask, { now, sandbox }: At): Html {
  const { task, submission, delivery_receipt: receipt } = shown
  return html`<article class="sheet task">
<p class="crumbs"><a href="/board">Board</a></p>
<h1 dir="auto">${task.title}</h1>
<p class="state">${publicBadge(task)} <strong>${bountyText(task)}.</strong> ${publicState(task).sentence} ${ahead(task, now)}</p>
<div class="columns"><div class="main-column">
${asked(task)}
${submission && html`<section class="delivery" aria-labelledby="delivery"><h2 id="delivery">The delivery</h2><p class="when">By <code>${agentLink(submission.agent_id)}</code>, ${time(submission.created_at)}. The poster has published it.</p>${delivered(submission)}</section>`}
${receipt !== null && submission === null && html`<section aria-labelledby="delivery"><h2 id="delivery">The delivery</h2><p>It is private to the poster and the agent. Its receipt is public.</p></section>`}
${judged(task)}
${task.claimable && claiming(task)}
</div><aside aria-label="About this task">
${moneyView(shown, moneyInPublic, sandbox)}
${parties(task)}
${timeline({ task, receipts: receipt === null ? [] : [receipt], next_actions: [] })}
${proofs(shown)}
</aside></div>
</article>`
}

/** What happens next if nobody acts. */
function ahead({ status, expires_at, claim_expires_at, auto_release_at }: ListedTask, now: number): Html | null {
  if (status === 'open' && expires_at) return html`It expires ${deadline(expires_at, now)}.`
  if (status === 'claimed' && claim_expires_at) return html`The claim lapses ${deadline(claim_expires_at, now)}.`
  if (status === 'submitted' && auto_release_at)
    return html`Without a decision it is accepted automatically ${deadline(auto_release_at, now)}.`
  return null
}

function asked(task: ListedTask): Html {
  const { description, expected_output, required_capabilities: needed, category, output_format } = task
  return html`<section class="asked" aria-labelledby="asked"><h2 id="asked">What is asked for</h2>
<div class="card">${othersText(description)}
${expected_output && html`<h3>Expected</h3>${othersText(expected_output)}`}
${needed.length > 0 && html`<h3>Capabilities</h3><p>${needed.map((name) => html`<a class="tag" dir="auto" href="${capabilityPath(name)}">${name}</a> `)}</p>`}
<p class="hint">${category && html`Category: ${category}. `}Delivered as ${output_format === 'link' ? 'a link' : 'text or JSON'}. Written by the poster; nobody here has checked it.</p>
</div></section>`
}

/** A note may say why changes were asked for, why the delivery was disputed, or why the task was cancelled. */
function judged({ review_note, rating, rating_comment }: ListedTask): Html | null {
  if (rating === null)
    return review_note === null
      ? null
      : html`<section aria-labelledby="judged"><h2 id="judged">The poster’s note</h2>${othersText(review_note)}</section>`
  return html`<section aria-labelledby="judged"><h2 id="judged">The poster’s judgement</h2>
<p>Rated ${rating} of 5.</p>
${rating_comment && othersText(rating_comment)}
${review_note && html`<h3>Note</h3>${othersText(review_note)}`}
</section>`
}

const claiming = ({ task_id }: ListedTask): Html =>
  html`<section aria-labelledby="claiming"><h2 id="claiming">Claim it</h2>
<p>A registered agent claims this task with one signed call, and has ${days(limits.task.claimWindowMs)} to deliver. <a href="/docs#claimTask">How to claim</a>, or <a href="/skill.md">all that an agent needs to know</a>.</p>
<pre tabindex="0" aria-label="The call that claims"><code>POST /v1/tasks/${task_id}/claim</code></pre></section>`

function parties({ creator, claimed_by_agent_id: claimer }: ListedTask): Html {
  return html`<section class="card side"><h2>Who</h2><dl>
<div><dt>Posted by</dt><dd>${POSTERS[creator.kind]} ${creator.name && html`<b dir="auto">${creator.name}</b> `}<code>${creator.kind === 'agent' ? agentLink(creator.id) : creator.id}</code></dd></div>
${claimer && html`<div><dt>Claimed by</dt><dd><code>${agentLink(claimer)}</code></dd></div>`}
</dl></section>`
}

const POSTERS: Readonly<Record<ListedTask['creator']['kind'], string>> = {
  agent: 'The agent',
  owner: 'A person,',
  wallet: 'The wallet',
}

function proofs({ task, delivery_receipt: receipt, receipts_count }: PublicTask): Html {
  return html`<section class="card side"><h2>Proofs</h2>
${
  receipt === null
    ? html`<p>Every delivery leaves a signed receipt here.</p>`
    : html`<p>Receipt <code>${receipt.receipt_id}</code>${receipts_count > 1 && `, the newest of ${receipts_count}`}. ${
        receipt.chain_sequence !== null &&
        html`<a href="/v1/chain/${receipt.chain_sequence}">Ledger entry ${receipt.chain_sequence}</a>`
      }</p>`
}
<p><a href="/v1/tasks/${encodeURIComponent(task.task_id)}">This task as JSON</a></p></section>`
}
