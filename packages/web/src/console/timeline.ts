import { type Html, html } from '../html.ts'
import { time } from './time.ts'
import type { NextActionView, OwnerTaskView } from './views.ts'

/** What has happened, and what will happen by itself. */
export function timeline({
  task,
  receipts,
  next_actions,
}: Pick<OwnerTaskView, 'task' | 'receipts' | 'next_actions'>): Html {
  const happened = [
    ['Posted', task.created_at],
    ['Deposit in escrow', task.escrow?.funded_at ?? null],
    ['Claimed', task.claimed_at],
    ...receipts.map(
      ({ completed_at }, index) => [index === 0 ? 'Delivered' : 'Delivered before', completed_at] as const,
    ),
    [`Changes asked for (${task.revision_count})`, task.revision_requested_at],
    ['Disputed', task.disputed_at],
    [task.accepted_by === 'auto' ? 'Accepted automatically' : 'Accepted', task.verified_at],
    ['Paid', task.settled_at],
    ['Cancelled', task.cancelled_at],
    ['Expired', task.expired_at],
    ['Refunded', task.escrow?.refunded_at ?? null],
  ] as const
  const rows = happened
    .flatMap(([what, when]) => (when === null ? [] : [{ what, when }]))
    .sort((a, b) => a.when.localeCompare(b.when))
  const ahead = next_actions.flatMap(({ who, rel, deadline }) =>
    who === 'service' && deadline !== null ? [{ what: AHEAD[rel] ?? rel, when: deadline }] : [],
  )
  return html`<section class="card side"><h2>History</h2><ol class="timeline">
${rows.map(({ what, when }) => html`<li><b>${what}</b> ${time(when)}</li>`)}
${ahead.map(({ what, when }) => html`<li class="ahead"><b>${what}</b> ${time(when)}</li>`)}
</ol></section>`
}

const AHEAD: Readonly<Record<NextActionView['rel'], string>> = {
  auto_accept: 'Accepted automatically, unless you decide',
  claim_lapses: 'Open again, unless delivered',
  expire: 'Expires, unless claimed',
}
