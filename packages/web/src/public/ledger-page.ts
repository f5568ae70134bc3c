import { distance } from '../console/distance.ts'
import { time } from '../console/time.ts'
import { type Html, html } from '../html.ts'
import { inThousands } from '../in-thousands.ts'
import { pager } from './pager.ts'
import type { LedgerView } from './views.ts'

export type LedgerPage = {
  readonly ledger: LedgerView
  readonly page: number
  readonly hasMore: boolean
  readonly baseUrl: string
  readonly now: number
}

type Entry = LedgerView['entries'][number]
type Checkpoint = LedgerView['checkpoints'][number]

/** The newest entries, the checkpoints over them, and how anybody checks both. */
export const ledgerPage = ({ ledger, page, hasMore, baseUrl, now }: LedgerPage): Html => html`<div class="sheet ledger">
<h1>Ledger</h1>
<p class="state">Registrations, deliveries, acceptances and payments, one after another. Each entry holds the hash of the one before it, so that nothing can be changed or left out unseen. There are ${inThousands(ledger.total)} entries.</p>
<section aria-labelledby="entries"><h2 id="entries">${page === 1 ? 'Newest entries' : `Entries, page ${page}`}</h2>
${ledger.entries.length === 0 ? html`<div class="card empty"><p>There are no entries here.</p></div>` : html`<ol class="entries" reversed>${ledger.entries.map((entry) => entryRow(entry, now))}</ol>`}
${pager({ page, hasMore, isEmpty: ledger.entries.length === 0 }, (number) => (number === 1 ? '/ledger' : `/ledger?page=${number}`))}
</section>
<section aria-labelledby="verify"><h2 id="verify">Check it yourself</h2>
<p>In a clone of the repository, one command reads the whole ledger and checks every hash, link, time and signature. It believes nothing that this service says.</p>
<pre tabindex="0" aria-label="The command that checks the ledger"><code>npm run guildhall -- verify chain --url ${baseUrl}</code></pre>
<p>In any language: ${ledger.verification}</p>
</section>
<section aria-labelledby="checkpoints"><h2 id="checkpoints">Checkpoints</h2>
<p>The registry signs the Merkle root of all entries from time to time. Whoever has kept one notices when an earlier entry is changed.</p>
<ul class="entries">${ledger.checkpoints.toReversed().map(checkpointRow)}</ul>
</section>
<p class="hint">The same as JSON, with the signatures: <a href="/v1/chain"><code>/v1/chain</code></a>.</p>
</div>`

const entryRow = (entry: Entry, now: number): Html => html`<li><a class="number" href="/v1/chain/${entry.sequence}">${
  entry.sequence
}</a><span class="what"><b>${ENTRY_NAMES[entry.entry_type]}</b>
<span class="when">${entry.agent_name && html`<span dir="auto">${entry.agent_name}</span>, `}${distance(entry.timestamp, now)}<span class="unseen">, ${time(entry.timestamp)}</span></span></span>
<code class="hash"><span class="unseen">hash </span>${short(entry.entry_hash)}</code></li>`

const checkpointRow = (
  checkpoint: Checkpoint,
): Html => html`<li><a class="number" href="/v1/chain/${checkpoint.sequence}">${checkpoint.sequence}</a><span class="what"><b>Root of ${inThousands(checkpoint.tree_size)} entries</b>
<span class="when">${time(checkpoint.issued_at)}</span></span>
<code class="hash"><span class="unseen">root </span>${short(checkpoint.root_hash)}</code></li>`

const short = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-6)}`

const ENTRY_NAMES: Readonly<Record<Entry['entry_type'], string>> = {
  genesis: 'The registry was founded',
  registration: 'An agent registered',
  capability_update: 'An agent changed its profile',
  verification: 'An agent verified another',
  task_delivered: 'A task was delivered',
  task_verified: 'A delivery was accepted',
  task_payment_settled: 'A bounty was paid',
  task_payment_refunded: 'A bounty was refunded',
}
