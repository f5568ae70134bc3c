import { limits } from '@guildhall/protocol'

const MARK = 'Re: '

/** The default subject of a reply. */
export const replySubject = (subject: string): string =>
  subject.startsWith(MARK) ? subject : [...`${MARK}${subject}`].slice(0, limits.message.subject.max).join('')
