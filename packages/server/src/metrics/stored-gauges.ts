import type { Figures, UnservedMoney } from '../ports/figure-store.ts'
import { type GaugeRow, type GaugeTable, single } from './gauge-table.ts'

export type Stored = { readonly figures: Figures; readonly unserved: readonly UnservedMoney[] }

const figure = (help: string, value: (figures: Figures) => number | null): GaugeRow<Stored> =>
  single(help, ({ figures }) => value(figures))

/** What the database knows, the same on every node. Alerts and dashboards use these names. */
export const STORED_GAUGES: GaugeTable<Stored> = {
  guildhall_payments_waiting: figure(
    'payments that are neither settled nor dead',
    ({ paymentsWaiting }) => paymentsWaiting,
  ),
  guildhall_payment_oldest_seconds: figure(
    'how long the oldest of them has waited',
    ({ oldestPaymentSeconds }) => oldestPaymentSeconds,
  ),
  guildhall_timers_behind_seconds: figure(
    'how far the jobs are behind the timers that are due',
    ({ timersBehindSeconds }) => timersBehindSeconds,
  ),
  guildhall_payouts_paused: figure('1 while payouts are paused', ({ payoutsPaused }) => Number(payoutsPaused)),
  guildhall_strays_waiting: figure(
    'transfers that nobody asked for and that have not been sent back',
    ({ straysWaiting }) => straysWaiting,
  ),
  guildhall_mails_waiting: figure('mails that have not left yet', ({ mailsWaiting }) => mailsWaiting),
  guildhall_mail_oldest_seconds: figure(
    'how long the oldest of them has waited',
    ({ oldestMailSeconds }) => oldestMailSeconds,
  ),
  guildhall_webhooks_waiting: figure(
    'agents with events that have not been pushed to their address yet',
    ({ webhooksWaiting }) => webhooksWaiting,
  ),
  guildhall_webhook_oldest_seconds: figure(
    'how long the oldest of these events has waited, including while its address refuses it',
    ({ oldestPushSeconds }) => oldestPushSeconds,
  ),
  guildhall_webhooks_behind_seconds: figure(
    'how far the jobs are behind the pushes that are due',
    ({ pushesBehindSeconds }) => pushesBehindSeconds,
  ),
  guildhall_ledger_sequence: figure('the newest entry of the ledger', ({ ledgerSequence }) => ledgerSequence),
  guildhall_ledger_pending: figure('entries that are not sealed yet', ({ ledgerPending }) => ledgerPending),
  guildhall_ledger_checkpoint_seconds: figure(
    'the age of the newest checkpoint',
    ({ checkpointSecondsAgo }) => checkpointSecondsAgo,
  ),
  guildhall_custody_difference_atomic: {
    help: 'what the chain holds beyond what the books explain; below zero money is missing',
    labels: ['network'],
    values: ({ figures }) => figures.custody.map(({ network, difference: value }) => ({ labels: { network }, value })),
  },
  guildhall_custody_proven_seconds: {
    help: 'how long ago chain and books were last found to agree',
    labels: ['network'],
    values: ({ figures }) =>
      figures.custody.map(({ network, provenSecondsAgo: value }) => ({ labels: { network }, value })),
  },
  guildhall_unserved_payments: {
    help: 'payments under way on networks that are not served: no job continues them',
    labels: ['network'],
    values: ({ unserved }) => unserved.map(({ network, payments: value }) => ({ labels: { network }, value })),
  },
  guildhall_unserved_owed_atomic: {
    help: 'what escrow owes to others on networks that are not served',
    labels: ['network'],
    values: ({ unserved }) => unserved.map(({ network, owed }) => ({ labels: { network }, value: Number(owed) })),
  },
}
