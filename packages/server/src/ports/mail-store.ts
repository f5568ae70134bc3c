import type { Instant } from '../domain/instant.ts'
import type { LeasedMail, Mail } from '../domain/mail/mail.ts'

export type MailReads = {
  /** Mails to be tried now that nobody is trying. */
  dueMails(now: Instant, limit: number): Promise<readonly string[]>
  /** Whether an attempt is running. */
  isMailing(now: Instant): Promise<boolean>
}

export type MailWrites = {
  /** In the transaction of the change that it is about; sent once that is committed. */
  insertMail(mail: Mail): Promise<void>
  leaseMail(id: string, now: Instant, until: Instant): Promise<LeasedMail | null>
  /** Forgets a mail that has left or was given up; false when the lease was lost. */
  removeMail(mail: LeasedMail): Promise<boolean>
  /** Gives the lease back and waits until the next try. */
  postponeMail(mail: LeasedMail, nextAttemptAt: Instant): Promise<void>
}
