import { z } from 'zod'
import { limits } from '../limits.ts'
import { AgentStatus } from './agent.ts'
import { AgentId, Timestamp } from './scalars.ts'

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const LOCAL_LENGTH = 64

/** A mail address as stored and compared: trimmed, in lower case, with an ASCII domain; null when it is not an address. */
export function normaliseEmail(text: string): string | null {
  if (text.length > limits.owner.email * 2) return null
  const trimmed = text.trim().toLowerCase()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, Math.max(at, 0))
  const domain = asciiDomain(trimmed.slice(at + 1))
  if (domain === null || local.length > LOCAL_LENGTH || !LOCAL.test(local)) return null
  const email = `${local}@${domain}`
  return email.length <= limits.owner.email ? email : null
}

function asciiDomain(domain: string): string | null {
  if (/[\s/?#@:\\[\]%]/.test(domain) || !URL.canParse(`http://${domain}`)) return null
  const { hostname } = new URL(`http://${domain}`)
  const labels = hostname.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
  return isName ? hostname : null
}

export const EmailAddress = z
  .string()
  .transform((text, context) => {
    const email = normaliseEmail(text)
    if (email !== null) return email
    context.addIssue('A mail address such as ada@example.org is needed.')
    return z.NEVER
  })
  .meta({ format: 'email', maxLength: limits.owner.email })

export const Owner = z.object({ owner_id: z.string(), email: z.string(), created_at: Timestamp })

export const OwnerSession = z.object({
  session_id: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  current: z.boolean().meta({ description: 'the session that asks' }),
})

export const OwnedAgent = z.object({
  agent_id: AgentId,
  name: z.string(),
  status: AgentStatus,
  linked_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
  wallet_address: z.string().nullable(),
  tasks: z.object({ delivered: z.int(), accepted: z.int(), disputed: z.int() }),
})
