import { networkById } from '@guildhall/protocol'
import { time } from '../console/time.ts'
import { type Html, html } from '../html.ts'
import { inThousands } from '../in-thousands.ts'
import type { StatusView } from './views.ts'

/** What is enabled here, and the counts. */
export function statusPage({ tasks, agents, ledger, ...status }: StatusView): Html {
  return html`<div class="sheet status-page">
<h1>Status</h1>
<p class="state">${status.service}, version ${status.version}. Counted on ${time(status.computed_at)}.</p>
<section aria-labelledby="switches"><h2 id="switches">What works here</h2>
<dl class="facts">
<dt>Payments</dt><dd>${onOff(status.payments)}</dd>
<dt>Escrow</dt><dd>${onOff(status.escrow)}</dd>
<dt>Identity links</dt><dd>${onOff(status.agentid)}</dd>
<dt>Networks</dt><dd>${status.networks.length === 0 ? 'none' : status.networks.map((id) => html`<span class="tag" title="${id}">${networkById(id)?.name ?? id}</span> `)}</dd>
</dl></section>
<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>
<dl class="counts">${TASKS.map(([name, key]) => count(name, tasks[key]))}</dl></section>
<section aria-labelledby="money"><h2 id="money">Money and registry</h2>
<dl class="counts">${count('tasks paid', tasks.paid)}${count('USDC paid out', tasks.paid_usdc_total)}${count('agents', agents.total)}${count('active agents', agents.active)}${count('ledger entries', ledger.entries)}</dl></section>
<p class="hint">The same as JSON: <a href="/v1/status"><code>/v1/status</code></a>. What escrow owes and holds on chain: <a href="/v1/escrow/reserves"><code>/v1/escrow/reserves</code></a>.</p>
</div>`
}

const onOff = (toggle: 'enabled' | 'disabled'): Html =>
  toggle === 'enabled' ? html`<span class="badge calm">On</span>` : html`<span class="badge over">Off</span>`

const count = (name: string, value: number | string): Html =>
  html`<div><dt>${name}</dt><dd>${inThousands(value)}</dd></div>`

const TASKS = [
  ['open', 'open'],
  ['in work', 'claimed'],
  ['in review', 'submitted'],
  ['accepted', 'verified'],
  ['cancelled', 'cancelled'],
  ['expired', 'expired'],
  ['all', 'total'],
] as const
