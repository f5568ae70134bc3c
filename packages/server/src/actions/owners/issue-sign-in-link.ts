import { limits, MINUTE } from '@guildhall/protocol'
import { consolePath } from '../../domain/owner/console-path.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { addMail } from '../mail/add-mail.ts'
import { newSecretToken, secretHash } from './secret-token.ts'

export type LinkRequest = {
  /** Normalised. */
  readonly email: string
  /** What else the link confirms: a kind of sign-in-intents.ts and its subject, such as `testing:req_1`. */
  readonly intent?: string | null
  /** The console path it leads to. */
  readonly next?: string | null
  /** The text of the mail; by default that of a plain sign-in. The link is on a line of its own between opening and closing. */
  readonly subject?: string
  readonly opening?: string
  readonly closing?: string
}

export const CONFIRM_PATH = '/console/confirm'
const MINUTES = limits.owner.linkMs / MINUTE

/** Mails a link that signs in once. Only the reader of the address gets to know it: it is stored hashed and never logged. */
export async function issueSignInLink(world: World, tx: Transaction, request: LinkRequest): Promise<void> {
  const { serviceName } = world.rules
  const {
    subject = `Sign in to ${serviceName}`,
    opening = `Somebody, most likely you, asked to sign in to ${serviceName} with this address.`,
    closing = 'If it was not you, do nothing: without this link nobody can sign in.',
  } = request
  const now = world.clock.now()
  const expiresAt = now + limits.owner.linkMs
  const token = newSecretToken(world.random)
  const link = { email: request.email, intent: request.intent ?? null, createdAt: now, expiresAt }
  await tx.saveSignInLink(link, secretHash(token))
  const text = [
    opening,
    `Open this link within ${MINUTES} minutes and confirm; it works once:`,
    linkUrl(world.rules.baseUrl, token, consolePath(request.next)),
    closing,
  ].join('\n\n')
  await addMail(world, tx, { to: request.email, subject, text: `${text}\n`, expiresAt })
}

/** Uses the service's configured address, never the Host header. */
function linkUrl(baseUrl: string, token: string, next: string | null): string {
  const query = new URLSearchParams({ token, ...(next === null ? {} : { next }) })
  return `${baseUrl}${CONFIRM_PATH}?${query}`
}
