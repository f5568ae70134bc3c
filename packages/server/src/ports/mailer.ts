import type { Mail } from '../domain/mail/mail.ts'

export type MailOutcome =
  | { readonly kind: 'sent' }
  /** `lasting`: the server refused it for good. The reason holds no secrets. */
  | { readonly kind: 'failed'; readonly lasting: boolean; readonly reason: string }

/** Sends mail. An attempt ends within its own deadline and never throws. */
export type Mailer = {
  send(mail: Mail): Promise<MailOutcome>
}
