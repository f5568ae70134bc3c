import type { InboxItem } from '@guildhall/server'
import { printable } from '../printable.ts'
import { atDesk } from './at-desk.ts'
import { limitFrom } from './limit-from.ts'

type Options = { readonly json?: boolean; readonly limit: string }

const MOST_OF_EACH = 999

/** What needs an operator, the most urgent first, each with the command for it. */
export const showInbox = ({ json = false, limit }: Options): Promise<void> =>
  atDesk(async (desk) => {
    const items = await desk.inbox(limitFrom(limit, MOST_OF_EACH))
    if (json) for (const item of items) console.log(JSON.stringify(item))
    else console.log(items.length === 0 ? 'Nothing waits for you.' : items.map(written).join('\n'))
  })

function written({ kind, id, since, text, command }: InboxItem): string {
  const when = since === null ? '' : `  since ${new Date(since).toISOString()}`
  return `${kind.padEnd(14)}${id}${when}\n${' '.repeat(14)}${oneLine(text)}\n${' '.repeat(14)}> ${oneLine(command)}`
}

const oneLine = (text: string): string => printable(text).replaceAll('\n', ' ')
