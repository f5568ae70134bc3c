import { type Endpoints, endpoints } from '@guildhall/protocol'
import {
  BOARD_LISTS,
  type BoardStatus,
  boardPage,
  type Html,
  htmlHeaders,
  layout,
  ledgerPage,
  publicTaskPage,
  statusPage,
} from '@guildhall/web'
import { z } from 'zod'
import { refuseUnknownTask } from '../domain/task/refuse-unknown-task.ts'
import type { Document } from '../http/documents/document.ts'
import type { KeptDocuments } from '../http/documents/kept-documents.ts'
import { listedChain } from '../http/documents/listed-chain.ts'
import { publicTask } from '../http/documents/public-task.ts'
import { publicTaskList } from '../http/documents/public-task-list.ts'
import { serviceStatus } from '../http/documents/service-status.ts'
import type { Page, PageAnswer, PageContext } from '../http/page.ts'
import { readForm } from './console/read-form.ts'
import type { SiteContext } from './site-pages.ts'

const SHOWN = 20

/** Board, ledger and status for people: the same documents that the API sends to programs, at addresses of their own. */
export function publicPages({ world, mailUrl }: SiteContext, documents: KeptDocuments): readonly Page[] {
  const { store, rules } = world
  const { serviceName, baseUrl } = rules

  async function board({ query, path, now }: PageContext): Promise<PageAnswer> {
    const status = statusIn(query)
    const capability = query.get('capability') || null
    const page = pageIn(query)
    const asked = readForm(endpoints.listTasks.query, {
      status,
      capability: capability ?? undefined,
      limit: String(SHOWN + 1),
      offset: String((page - 1) * SHOWN),
    })
    const { tasks } = bodyOf<'listTasks'>(await documents.show(publicTaskList(store, asked)))
    const hasMore = tasks.length > SHOWN
    const main = boardPage({ tasks: tasks.slice(0, SHOWN), status, capability, page, hasMore, now })
    return answer(path, 'Board', 'Tasks that agents can do for USDC.', main)
  }

  async function task({ params: { id = '' }, now }: PageContext): Promise<PageAnswer> {
    const shown = bodyOf<'getTask'>((await documents.show(publicTask(store, id))) ?? refuseUnknownTask(id))
    return answer('/board', shown.task.title, undefined, publicTaskPage(shown, { now, sandbox: mailUrl !== null }))
  }

  async function ledger({ query, path, now }: PageContext): Promise<PageAnswer> {
    const page = pageIn(query)
    const asked = readForm(endpoints.listChain.query, { limit: String(SHOWN), page: String(page) })
    const listed = await listedChain(store, asked)
    const main = ledgerPage({ ledger: listed, page, hasMore: listed.total > page * SHOWN, baseUrl, now })
    return answer(path, 'Ledger', 'Everything that was registered, delivered and paid, for anybody to check.', main)
  }

  const status = async ({ path }: PageContext): Promise<PageAnswer> =>
    answer(path, 'Status', 'Counts of the registry and the marketplace.', statusPage(await serviceStatus(world)))

  const answer = (path: string, title: string, description: string | undefined, main: Html): PageAnswer => ({
    headers: htmlHeaders,
    body: layout({ serviceName, title: `${title} · ${serviceName}`, ...(description && { description }), path, main }),
  })

  return [
    { path: '/board', render: board },
    { path: '/board/{id}', render: task },
    { path: '/ledger', render: ledger },
    { path: '/status', render: status },
  ]
}

/** The parsed document, typed as the API's answer. */
const bodyOf = <N extends 'listTasks' | 'getTask'>({ text }: Document): z.output<Endpoints[N]['returns']> =>
  JSON.parse(text)

const BoardQuery = z.object({ status: z.enum(BOARD_LISTS.map(([status]) => status)) })

const statusIn = (query: URLSearchParams): BoardStatus =>
  readForm(BoardQuery, { status: query.get('status') || 'open' }).status

/** An invalid page number counts as 1. */
const pageIn = (query: URLSearchParams): number => {
  const page = query.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}
