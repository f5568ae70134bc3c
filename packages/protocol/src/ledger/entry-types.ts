/** What the ledger records. */
export const ENTRY_TYPES = [
  'genesis',
  'registration',
  'capability_update',
  'verification',
  'task_delivered',
  'task_verified',
  'task_payment_settled',
  'task_payment_refunded',
] as const
export type EntryType = (typeof ENTRY_TYPES)[number]
