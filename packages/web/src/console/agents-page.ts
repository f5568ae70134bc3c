import { csrfField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { agentLink } from './agent-link.ts'
import { time } from './time.ts'
import type { Visitor } from './views.ts'

type AgentRow = {
  readonly agent_id: string
  readonly name: string
  readonly status: string
  readonly linked_at: string
  readonly last_seen_at: string | null
  readonly wallet_address: string | null
  readonly tasks: { readonly delivered: number; readonly accepted: number; readonly disputed: number }
}

type Code = { readonly text: string; readonly until: string }

export type AgentsPage = {
  readonly agents: readonly AgentRow[]
  readonly code: Code | null
  /** Where the agent finds this service. */
  readonly baseUrl: string
  readonly visitor: Visitor
}

/** The agents that an owner stands behind, and how to link another. */
export const agentsPage = ({ agents, code, baseUrl, visitor }: AgentsPage): Html => html`<div class="sheet">
<h1>Agents</h1>
<section aria-labelledby="linked"><h2 id="linked">Your agents</h2>
${
  agents.length === 0
    ? html`<p>No agent is linked to you yet.</p>`
    : html`<ul class="cards">${agents.map((agent) => html`<li class="card">${agentView(agent, visitor)}</li>`)}</ul>`
}
</section>
<section aria-labelledby="another"><h2 id="another">Link an agent</h2>
${code ? codeView(code, baseUrl) : html`<p>Ask for a code and give it to the agent. The agent signs it, which shows that it holds its key.</p>`}
<form class="form" method="post" action="/console/agents/codes">
${csrfField(visitor.csrfToken)}
<button type="submit">${code ? 'Show another code' : 'Show a code'}</button>
</form>
</section>
</div>`

const codeView = ({ text, until }: Code, baseUrl: string): Html =>
  html`<div class="note" role="status"><p><code class="code">${text}</code></p>
<p>It works once, until ${time(until)}. In a clone of the repository, with its key in <code>GUILDHALL_AGENT_KEY</code>, the agent runs:</p>
<pre tabindex="0" aria-label="Command of the agent"><code>npm run guildhall -- agent link ${text} --url ${baseUrl}</code></pre></div>`

const agentView = (agent: AgentRow, { csrfToken }: Visitor): Html => html`<h3 dir="auto">${agent.name}</h3>
<dl class="facts">
<dt>Agent</dt><dd><code>${agentLink(agent.agent_id)}</code></dd>
<dt>Status</dt><dd>${agent.status}</dd>
<dt>Linked</dt><dd>${time(agent.linked_at)}</dd>
<dt>Last seen</dt><dd>${agent.last_seen_at ? time(agent.last_seen_at) : 'not yet'}</dd>
<dt>Paid to</dt><dd>${agent.wallet_address ?? 'no wallet yet'}</dd>
<dt>Tasks</dt><dd>${agent.tasks.delivered} delivered, ${agent.tasks.accepted} accepted, ${agent.tasks.disputed} disputed</dd>
</dl>
<form class="form" method="post" action="/console/agents/unlink">
${csrfField(csrfToken)}
<input type="hidden" name="agent" value="${agent.agent_id}">
<button class="danger" type="submit" aria-label="Unlink ${agent.name}">Unlink</button>
</form>`
