import { z } from 'zod'
import { limits } from '../limits.ts'
import { HexHash, HttpUrl, listOf, optional, Timestamp, text } from './scalars.ts'

const { delivery, agent } = limits

export const SubmissionType = z.enum(['json', 'link', 'pr'])
export type SubmissionType = z.infer<typeof SubmissionType>

export const Submission = z.object({
  submission_id: z.string(),
  task_id: z.string(),
  agent_id: z.string(),
  submission_type: SubmissionType,
  content: z.string().nullable(),
  summary: z.string(),
  artifact_urls: z.array(z.string()).nullable(),
  commit_hash: z.string().nullable(),
  pr_url: z.string().nullable(),
  created_at: Timestamp,
})

/** What `payload_hash` commits to; the salt keeps short deliveries from being guessed. */
export const ReceiptPayload = z.object({
  summary: z.string(),
  submission_content: z.string().nullable(),
  artifact_urls: z.array(z.string()).nullable(),
  commit_hash: z.string().nullable(),
  pr_url: z.string().nullable(),
  salt: z.string(),
})

export const DeliveryReceipt = z.object({
  receipt_id: z.string(),
  task_id: z.string(),
  agent_id: z.string(),
  submission_type: SubmissionType,
  payload_hash: HexHash,
  revision: z.int(),
  completed_at: Timestamp,
  chain_sequence: z.int().nullable(),
  chain_entry_hash: HexHash.nullable(),
  signature: z.string(),
  signed_timestamp: z.int(),
  signed_nonce: z.string().nullable(),
  body_hash: HexHash.meta({
    description:
      'sha256 of the request body as it was sent; a short body without anything random in it can be guessed from it',
  }),
  agent_public_key: HexHash,
  payload: ReceiptPayload.nullable(),
})

export const DeliverRequest = z.object({
  summary: text(delivery.summary.min, delivery.summary.max),
  submission_type: SubmissionType,
  submission_content: optional(text(0, delivery.content)),
  artifact_urls: optional(listOf(HttpUrl(agent.url), delivery.artifactUrls)),
  commit_hash: optional(z.string().regex(/^[a-f0-9]{40}$/, '40 lower-case hexadecimal digits are needed.')),
  pr_url: optional(HttpUrl(agent.url)),
})

export const LegacySubmitRequest = z.object({
  submission_type: z.enum(['json', 'link']),
  content: text(1, delivery.content),
  summary: text(delivery.summary.min, delivery.summary.max),
})
