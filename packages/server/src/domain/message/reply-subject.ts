import { limits } from '@guildhall/protocol'

const MARK = 'Re: '

/** The subject of a reply that brings none of its own. */
export const replySubject = (subject: string): string =>
  subject.startsWith(MARK) ? subject : [...`${MARK}${subject}`].slice(0, limits.message.subject.max).join('')
