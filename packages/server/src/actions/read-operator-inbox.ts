import { MINUTE } from '@guildhall/protocol'
import {
  INBOX_KINDS,
  type InboxItem,
  ofDelivery,
  ofDispute,
  ofFeedback,
  ofPause,
  ofRequest,
  ofStray,
  ofTransfer,
  ofTrouble,
  ofWatch,
} from '../domain/operator/inbox-item.ts'
import type { Office } from '../ports/office.ts'

/** Money in flight for this long needs an operator. */
const STUCK_MS = 15 * MINUTE

/** Everything that needs an operator, the most urgent first, at most `limit` of each kind. */
export async function readOperatorInbox({ store, clock }: Office, limit: number): Promise<readonly InboxItem[]> {
  const [watches, pause, transfers, strays, confirmed, troubled, disputes, feedback, delivered] = await Promise.all([
    store.watches(),
    store.payoutsPaused(),
    store.stuckTransfers(clock.now() - STUCK_MS, limit),
    store.strays({ returned: false, limit }),
    store.listTestingRequests({ status: 'confirmed', before: null, limit }),
    store.troubledTestingRequests(limit),
    store.disputedTasks(limit),
    store.listFeedback({ status: 'received', before: null, limit }),
    store.testingDeliveries(limit),
  ])
  const deliveries = await Promise.all(delivered.map((taskId) => deliveryOf(store, taskId)))
  const ofHouse = new Set(delivered)
  const items = [
    ...watches.flatMap(ofWatch),
    ...(pause.paused ? [ofPause(pause.reason)] : []),
    ...transfers.map(ofTransfer),
    ...strays.map(ofStray),
    ...troubled.map(ofTrouble),
    ...deliveries.flat(),
    ...confirmed.map(ofRequest),
    ...disputes.filter(({ id }) => !ofHouse.has(id)).map(ofDispute),
    ...feedback.map(ofFeedback),
  ]
  return items.sort((a, b) => INBOX_KINDS.indexOf(a.kind) - INBOX_KINDS.indexOf(b.kind))
}

async function deliveryOf(store: Office['store'], taskId: string): Promise<readonly InboxItem[]> {
  const [run, task] = await Promise.all([store.testingRunOf(taskId), store.task(taskId)])
  return run && task ? [ofDelivery(run, task)] : []
}
