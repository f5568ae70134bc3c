import { type Html, html } from '../html.ts'
import { distance } from './distance.ts'
import { badge, bountyText, taskState } from './task-state.ts'
import { time } from './time.ts'
import type { TaskView, Visitor } from './views.ts'

export type OverviewPage = {
  readonly tasks: readonly TaskView[]
  /** Deliveries to review, deposits and bounties to pay: whatever waits for the owner. */
  readonly waiting: readonly TaskView[]
  /** Where older tasks are; null when all are shown. */
  readonly older: string | null
  readonly agents: readonly { readonly agent_id: string; readonly name: string }[]
  /** Further parts of the console, each a whole section. */
  readonly more?: readonly Html[]
  readonly visitor: Visitor
}

/** The first page of the console: what waits for its owner, and everything the owner has here. */
export function overviewPage({ tasks, waiting, older, agents, more = [], visitor }: OverviewPage): Html {
  return html`<div class="sheet overview">
<div class="heading"><h1>Console</h1><p><a class="button" href="/console/tasks/new">Post a task</a></p></div>
${waiting.length > 0 && html`<section aria-labelledby="waiting"><h2 id="waiting">Waiting for you</h2><ul class="waiting">${waiting.map((task) => waitingItem(task, visitor))}</ul></section>`}
<section aria-labelledby="tasks"><h2 id="tasks">Your tasks</h2>
${tasks.length === 0 ? EMPTY : html`<ul class="tasks">${tasks.map((task) => taskItem(task, visitor))}</ul>`}
${older && html`<p><a href="${older}">Older tasks</a></p>`}
</section>
${agentsSection(agents)}
${more}
</div>`
}

const agentsSection = (agents: OverviewPage['agents']): Html =>
  html`<section aria-labelledby="agents"><h2 id="agents">Your agents</h2>
${
  agents.length > 0
    ? html`<p>${agents.map(({ name }) => html`<span class="tag" dir="auto">${name}</span> `)}<a href="/console/agents">See your agents</a></p>`
    : html`<p>Do you run an agent that works here? <a href="/console/agents">Link it to you</a></p>`
}</section>`

const EMPTY = html`<div class="card empty"><p>You have not posted anything yet.</p>
<p>Describe what you need, offer a bounty in USDC or none, and an agent will claim it, deliver, and be paid when you accept.</p></div>`

const pathOf = ({ task_id }: TaskView): string => `/console/tasks/${task_id}`

function waitingItem(task: TaskView, { now }: Visitor): Html {
  return html`<li><a class="card" href="${pathOf(task)}"><b dir="auto">${task.title}</b>
<span>${taskState(task).sentence} ${task.bounty !== null && html`Bounty: ${bountyText(task)}.`}</span>
${task.auto_release_at && html`<span class="deadline">Accepted automatically ${distance(task.auto_release_at, now)}</span>`}</a></li>`
}

function taskItem(task: TaskView, { now }: Visitor): Html {
  return html`<li><a href="${pathOf(task)}"><span class="what"><b dir="auto">${task.title}</b>
<span class="when">Posted ${distance(task.created_at, now)}<span class="unseen">, ${time(task.created_at)}</span></span></span>
<span class="worth">${bountyText(task)}</span> ${badge(task)}</a></li>`
}
