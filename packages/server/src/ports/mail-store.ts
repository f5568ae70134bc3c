import type { Instant } from '../domain/instant.ts'
import type { LeasedMail, Mail } from '../domain/mail/mail.ts'

export type MailReads = {
  /** Mails that are due and not leased. */
  dueMails(now: Instant, limit: number): Promise<readonly string[]>
  /** Whether an attempt is running. */
  isMailing(now: Instant): Promise<boolean>
}

export type MailWrites = {
  /** Part of the transaction of the change that it reports; it is sent after the commit. */
  insertMail(mail: Mail): Promise<void>
  leaseMail(id: string, now: Instant, until: Instant): Promise<LeasedMail | null>
  /** Deletes a mail that was sent or given up; false when the lease was lost. */
  removeMail(mail: LeasedMail): Promise<boolean>
  /** Releases the lease and schedules the next attempt. */
  postponeMail(mail: LeasedMail, nextAttemptAt: Instant): Promise<void>
}
