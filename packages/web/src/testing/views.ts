import type { TestingReport, TestingScope } from '@guildhall/protocol'
import type { Answer } from '../console/views.ts'
import { type Html, html } from '../html.ts'

type RequestFile = Answer<'getTestingRequest'>

/** What these pages show, in the words of the API. */
export type RequestView = RequestFile['request']
export type RunView = RequestFile['runs'][number]
export type { TestingReport, TestingScope }

const SENTENCES: Readonly<Record<RequestView['status'], string>> = {
  unconfirmed: 'Waits for you to confirm it.',
  confirmed: 'An operator will look at it.',
  approved: 'Approved; its runs are about to be posted.',
  running: 'Agents are at work.',
  reported: 'The report is ready.',
  rejected: 'An operator has declined it.',
  expired: 'It came to nothing.',
}

export const stateOf = ({ status }: RequestView): string => SENTENCES[status]

export const stateBadge = ({ status }: RequestView): Html => html`<span class="state ${status}">${status}</span>`

/** `product_success` and the like, for people. */
export const plainWords = (word: string): string => {
  const words = word.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
