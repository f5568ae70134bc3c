import { endpoints } from '@guildhall/protocol'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'

type Asked = {
  readonly serviceName: string
  readonly agentId: string
  readonly agentName: string
  readonly providerName: string
  readonly state: string
}

const CONFIRM_PATH = endpoints.confirmIdentityLink.path

/** Asks a person who has signed in at their identity provider whether they stand behind an agent. */
export function consentPage({ code, ...asked }: Asked & { readonly code: string }): string {
  const { serviceName, agentName, agentId, providerName, state } = asked
  return page(
    serviceName,
    'Do you stand behind this agent?',
    html`<p>You have signed in at <strong>${providerName}</strong>. The agent below asks to be linked to you.</p>
${whichAgent(agentName, agentId)}
<p>If you agree, everybody can see that a person at ${providerName} stands behind this agent: your name there, and of your email address only the first letter and the domain. You can be linked to one agent only.</p>
<p class="note bad"><strong>Agree only if this is your agent and you asked for this yourself.</strong> If somebody sent you a link that led here, refuse.</p>
<div class="form row">
<form method="post" action="${CONFIRM_PATH}">
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="code" value="${code}">
<button type="submit">Yes, link this agent to me</button>
</form>
${refuseForm(state, 'No, refuse')}
</div>`,
  )
}

/** The provider sent the person back without saying who they are. */
export const refusedAtProviderPage = ({ serviceName, agentName, agentId, providerName, state }: Asked): string =>
  page(
    serviceName,
    'You were not signed in',
    html`<p><strong>${providerName}</strong> did not say who you are, so nothing was linked. You can open the address that the agent gave you once more, or tell the agent that you refuse.</p>
${whichAgent(agentName, agentId)}
<div class="form row">${refuseForm(state, 'Refuse this link')}</div>`,
  )

type Linked = {
  readonly agentId: string
  readonly agentName: string
  readonly email: string | null
  readonly displayName: string | null
}

/** What became of the link: made, or refused. */
export function identityResultPage({
  serviceName,
  linked,
}: {
  readonly serviceName: string
  readonly linked: Linked | null
}): string {
  if (linked === null)
    return page(
      serviceName,
      'Nothing was linked',
      html`<p>You refused, and the agent is told so. You can close this page.</p>`,
    )
  const shown = [linked.displayName, linked.email]
    .filter((part) => part !== null)
    .map((part, index) => html`${index > 0 && ', '}<bdi>${part}</bdi>`)
  return page(
    serviceName,
    'The agent is linked to you',
    html`${whichAgent(linked.agentName, linked.agentId)}
<p>Everybody can see that you stand behind it${shown.length > 0 && html`, as <strong>${shown}</strong>`}. The agent can undo this at any time. You can close this page.</p>`,
  )
}

const page = (serviceName: string, title: string, text: Html): string =>
  layout({
    serviceName,
    title: `${title} · ${serviceName}`,
    main: html`<section class="panel">
<h1>${title}</h1>
${text}
</section>`,
  })

const whichAgent = (name: string, id: string): Html => html`<dl class="facts">
<dt>Name</dt><dd><bdi>${name}</bdi></dd>
<dt>Agent id</dt><dd><code>${id}</code></dd>
</dl>`

const refuseForm = (state: string, words: string): Html => html`<form method="post" action="${CONFIRM_PATH}">
<input type="hidden" name="state" value="${state}">
<button class="quiet" type="submit" name="refuse" value="1">${words}</button>
</form>`
