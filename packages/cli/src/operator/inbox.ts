import type { InboxItem } from '@guildhall/server/desk'
import { printable } from '../printable.ts'
import { atDesk } from './at-desk.ts'
import { limitFrom } from './limit-from.ts'

type Options = { readonly json?: boolean; readonly limit: string }

const MOST_OF_EACH = 999

/** What needs an operator, the most urgent first, each with the command for it. */
export const showInbox = ({ json = false, limit }: Options): Promise<void> =>
  atDesk(async (desk) => {
    const most = limitFrom(limit, MOST_OF_EACH)
    const items = await desk.inbox(most)
    if (json) for (const item of items) console.log(JSON.stringify(item))
    else console.log(items.length === 0 ? 'Nothing waits for you.' : items.map(written).join('\n'))
    if (!json && most < MOST_OF_EACH && hasAsManyOfAKind(items, most))
      console.log(`At most ${most} of each kind are shown: --limit shows more.`)
  })

const hasAsManyOfAKind = (items: readonly InboxItem[], most: number): boolean =>
  [...Map.groupBy(items, ({ kind }) => kind).values()].some(({ length }) => length >= most)

function written({ kind, id, since, text, command }: InboxItem): string {
  const when = since === null ? '' : `  since ${new Date(since).toISOString()}`
  return `${kind.padEnd(14)}${id}${when}\n${' '.repeat(14)}${oneLine(text)}\n${' '.repeat(14)}> ${oneLine(command)}`
}

const oneLine = (text: string): string => printable(text).replaceAll('\n', ' ')
