import { hashDocument, type JsonValue } from './canonical-json.ts'
import type { EntryType } from './entry-types.ts'

type Described = {
  /** The fields of the document; null where the document is stored as it was sent. */
  readonly fields: readonly string[] | null
  /** Where the public finds them. */
  readonly source: string
}

const PROFILE = ['agent_id', 'public_key', 'name', 'description', 'capabilities', 'protocols'] as const
const PAYMENT = ['task_id', 'network', 'amount_atomic', 'tx_hash'] as const

/** The document that `profile_hash` commits to, per entry type. The OpenAPI document prints this. */
export const ENTRY_DOCUMENTS = {
  genesis: {
    fields: ['registry_public_key', 'service'],
    source: 'the `public_key` of the entry; `name` in /.well-known/service.json',
  },
  registration: {
    fields: [...PROFILE, 'registered_at'],
    source:
      'GET /v1/agents/{id}, as the agent registered. Of what it has changed since, only the name is still shown, as `agent_name` of the entry',
  },
  capability_update: {
    fields: [...PROFILE, 'homepage', 'contact_endpoint', 'organization', 'tags', 'version', 'skills'],
    source:
      'GET /v1/agents/{id}, as the profile was after the change; each of `skills` is {name, registry, version, private}. What it said before a later change is not shown any more',
  },
  verification: {
    fields: null,
    source:
      'the body of POST /v1/verify/submit with its `signature`, as it was sent. It is private: the target finds it as `report` in its event `verification.received`',
  },
  task_delivered: {
    fields: ['receipt_id', 'task_id', 'agent_id', 'submission_type', 'payload_hash', 'revision', 'completed_at'],
    source: '`delivery_receipt` of GET /v1/tasks/{id} for the newest delivery; the parties see those of all',
  },
  task_verified: {
    fields: ['task_id', 'agent_id', 'accepted_by', 'verified_at'],
    source: '`task` of GET /v1/tasks/{id}, with `claimed_by_agent_id` as `agent_id`',
  },
  task_payment_settled: {
    fields: PAYMENT,
    source: 'the task, and the `details` of its first `settled` in the `events` of GET /v1/tasks/{id}/payment',
  },
  task_payment_refunded: {
    fields: PAYMENT,
    source: 'the task, and the `details` of its first `escrow_refunded` in the `events` of GET /v1/tasks/{id}/payment',
  },
} as const satisfies Readonly<Record<EntryType, Described>>

type Documents = typeof ENTRY_DOCUMENTS
type WithFields = { [T in EntryType]: Documents[T]['fields'] extends null ? never : T }[EntryType]
export type EntryDocument<T extends WithFields> = {
  readonly [F in NonNullable<Documents[T]['fields']>[number]]: JsonValue
}

/** The `profile_hash` of an entry of this type. */
export const entryDocumentHash = <T extends WithFields>(_type: T, document: EntryDocument<T>): string =>
  hashDocument(document)

const lines = Object.entries<Described>(ENTRY_DOCUMENTS).map(
  ([type, { fields, source }]) => `- \`${type}\`${fields === null ? '' : ` {${fields.join(', ')}}`}: ${source}.`,
)

export const PROFILE_HASH_DESCRIPTION = [
  'sha256, in hex, of the canonical JSON (RFC 8785, nulls kept) of the document that the entry commits to. Which one depends on ' +
    '`entry_type`; times and amounts are the texts that the API shows. Entries name no task: compute the hash and look for it among ' +
    'those of its agent.',
  ...lines,
].join('\n')
