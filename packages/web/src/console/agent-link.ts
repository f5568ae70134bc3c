import { type Html, html } from '../html.ts'

/** An agent's id, which leads to its public profile. */
export const agentLink = (id: string): Html => html`<a href="/v1/agents/${encodeURIComponent(id)}">${id}</a>`
