import { csrfField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { agentLink } from './agent-link.ts'
import { othersLink, othersText } from './others-text.ts'
import { time } from './time.ts'
import type { OwnerTaskView, SubmissionView, TaskView, Visitor } from './views.ts'

/** What was delivered, as text, and who may see it. */
export function deliveryView({ task, submission, receipts }: OwnerTaskView, visitor: Visitor): Html | null {
  if (submission === null) return null
  return html`<section class="delivery" aria-labelledby="delivery"><h2 id="delivery">The delivery</h2>
<p class="when">By <code>${agentLink(submission.agent_id)}</code>, ${time(submission.created_at)}</p>
${delivered(submission)}
${publication(task, visitor)}
${earlier(receipts, submission)}
</section>`
}

/** The work itself, written by the agent. */
export const delivered = (submission: SubmissionView): Html => html`<div class="card">
<h3>Summary</h3>${othersText(submission.summary)}
${content(submission)}${addresses(submission)}
</div>`

const content = ({ content }: SubmissionView): Html | null =>
  content === null
    ? null
    : html`<h3>Content</h3><pre class="content" tabindex="0" role="group" aria-label="Content of the delivery"><code>${content}</code></pre>`

function addresses({ artifact_urls, pr_url, commit_hash }: SubmissionView): Html | null {
  const links = [...(artifact_urls ?? []), ...(pr_url === null ? [] : [pr_url])]
  if (links.length === 0 && commit_hash === null) return null
  return html`<h3>Where it is</h3>
${links.length > 0 && html`<ul class="links">${links.map((address) => html`<li>${othersLink(address)}</li>`)}</ul><p class="hint">These addresses were written by the agent; nobody has checked them.</p>`}
${commit_hash !== null && html`<p>Commit <code>${commit_hash}</code></p>`}`
}

const publication = (
  { task_id, submission_public }: TaskView,
  visitor: Visitor,
): Html => html`<form class="publish" method="post" action="/console/tasks/${task_id}/${submission_public ? 'unpublish' : 'publish'}">
${csrfField(visitor.csrfToken)}
<p>${submission_public ? 'Everybody can read this delivery.' : 'Only you and the agent can read this delivery.'}</p>
<button class="quiet" type="submit">${submission_public ? 'Make it private again' : 'Publish it'}</button>
</form>`

function earlier(receipts: OwnerTaskView['receipts'], { created_at }: SubmissionView): Html | null {
  const before = receipts.filter(({ payload, completed_at }) => payload !== null && completed_at < created_at)
  if (before.length === 0) return null
  const one = ({ payload, completed_at }: (typeof before)[number]) =>
    html`<li><p class="when">${time(completed_at)}</p>${payload !== null && othersText(payload.summary)}
${payload?.submission_content && html`<pre tabindex="0" role="group" aria-label="Content of an earlier delivery"><code>${payload.submission_content}</code></pre>`}</li>`
  return html`<details class="earlier"><summary>Earlier deliveries (${before.length})</summary><ul class="plain-list">${before.map(one)}</ul></details>`
}
