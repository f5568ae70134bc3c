import { limits } from '@guildhall/protocol'
import { afterFailedMail } from '../../domain/mail/after-failed-mail.ts'
import type { LeasedMail } from '../../domain/mail/mail.ts'
import type { MailOutcome } from '../../ports/mailer.ts'
import type { World } from '../../ports/world.ts'

const BATCH = 20

/** Tries every due mail once; returns the number looked at. A crash after a mail was sent sends it again, under the same id. */
export async function sendMails(world: World): Promise<number> {
  if (world.mailer === null) return 0
  const ids = await world.store.dueMails(world.clock.now(), BATCH)
  await Promise.all(ids.map((id) => sendMail(world, id)))
  return ids.length
}

async function sendMail(world: World, id: string): Promise<void> {
  const now = world.clock.now()
  const mail = await world.store.transaction((tx) => tx.leaseMail(id, now, now + limits.mail.leaseMs))
  if (mail === null || world.mailer === null) return
  const outcome = mail.expiresAt <= now ? TOO_LATE : await world.mailer.send(mail)
  await world.failpoints.reach('mail: sent')
  if (outcome.kind === 'sent') await world.store.transaction((tx) => tx.removeMail(mail))
  else await noteFailure(world, mail, outcome)
}

const TOO_LATE = { kind: 'failed', lasting: true, reason: 'it would have come too late' } as const

/** Neither the address nor the text is logged. */
async function noteFailure(
  world: World,
  mail: LeasedMail,
  { lasting, reason }: Extract<MailOutcome, { kind: 'failed' }>,
): Promise<void> {
  const again = lasting ? null : afterFailedMail(mail, world.clock.now())
  world.log.warn(again === null ? 'a mail was given up' : 'a mail will be tried again', { id: mail.id, reason })
  await world.store.transaction(async (tx) => {
    if (again === null) await tx.removeMail(mail)
    else await tx.postponeMail(mail, again)
  })
}
