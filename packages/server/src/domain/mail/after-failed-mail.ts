import { limits } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'
import type { LeasedMail } from './mail.ts'

const { retryAfterMs } = limits.mail

/** When a failed mail is tried again; null when it is given up. */
export function afterFailedMail({ attempts, expiresAt }: LeasedMail, now: Instant): Instant | null {
  const wait = retryAfterMs[attempts]
  return wait === undefined || now + wait >= expiresAt ? null : now + wait
}
