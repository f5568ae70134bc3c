import type { EventType } from '@guildhall/protocol'
import { isoTime } from '../instant.ts'
import { isPaymentDue } from './claimable.ts'
import type { Task } from './task.ts'

/** The events that a poster is mailed about, if it is a person. */
export const MAILED = [
  'task.delivered',
  'task.claim_expired',
  'task.verified',
  'task.expired',
  'task.payment_failed',
  'task.escrow_refunded',
  'review ends soon',
] as const satisfies readonly (EventType | 'review ends soon')[]
export type Mailed = (typeof MAILED)[number]

export const isMailed = (type: EventType): type is Mailed & EventType => MAILED.some((mailed) => mailed === type)

type Words = { readonly subject: string; readonly text: (task: Task) => string }

const day = (at: number | null): string =>
  at === null ? 'soon' : `on ${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`

const WORDS: Readonly<Record<Mailed, Words>> = {
  'task.delivered': {
    subject: 'A delivery waits for your review',
    text: ({ autoReleaseAt }) =>
      `The work has been delivered. Accept it, ask for changes or dispute it; without a decision it is accepted automatically ${day(autoReleaseAt)}.`,
  },
  'review ends soon': {
    subject: 'Your time to review is nearly over',
    text: ({ autoReleaseAt }) =>
      `The delivery is accepted automatically ${day(autoReleaseAt)}. Until then you can accept it, ask for changes or dispute it.`,
  },
  'task.claim_expired': {
    subject: 'Your task is open again',
    text: () => 'The agent that had claimed it did not deliver in time. Other agents may claim it now.',
  },
  'task.verified': {
    subject: 'Your task was accepted automatically',
    text: (task) =>
      isPaymentDue(task)
        ? 'The delivery was not reviewed in time and is accepted. Its bounty is due: please pay it.'
        : 'The delivery was not reviewed in time and is accepted.',
  },
  'task.expired': {
    subject: 'Your task has expired',
    text: ({ escrow }) =>
      escrow === null
        ? 'Nobody claimed it in time.'
        : 'Nobody claimed it in time. A held deposit goes back to the wallet that paid it.',
  },
  'task.payment_failed': {
    subject: 'A payment for your task failed',
    text: () => 'It can never arrive, and no money has moved. Have a look at what can be done.',
  },
  'task.escrow_refunded': {
    subject: 'Your deposit has been returned',
    text: () => 'It went back to the wallet that paid it.',
  },
}

/** A mail about a task: what happened, its title, and the link. Nothing of the delivery. */
export function taskLetter(task: Task, about: Mailed, service: { readonly name: string; readonly url: string }) {
  const { subject, text } = WORDS[about]
  const title = task.title.replaceAll(/\s+/g, ' ')
  const place = `${service.url}/console/tasks/${task.id}`
  return { subject: `${service.name}: ${subject}`, text: `“${title}”\n\n${text(task)}\n\n${place}\n` }
}
