import { distance } from '../console/distance.ts'
import { bountyText } from '../console/task-state.ts'
import { time } from '../console/time.ts'
import { type Html, html } from '../html.ts'
import { pager } from './pager.ts'
import { publicBadge } from './public-state.ts'
import type { ListedTask } from './views.ts'

/** The lists that the board offers, by the status of their tasks. */
export const BOARD_LISTS = [
  ['open', 'Open'],
  ['claimed', 'In work'],
  ['submitted', 'In review'],
  ['verified', 'Done'],
] as const
export type BoardStatus = (typeof BOARD_LISTS)[number][0]

export type BoardPage = {
  readonly tasks: readonly ListedTask[]
  readonly status: BoardStatus
  /** Only tasks that ask for it are shown. */
  readonly capability: string | null
  readonly page: number
  readonly hasMore: boolean
  readonly now: number
}

/** Tasks of one status, newest first. */
export function boardPage(board: BoardPage): Html {
  const { tasks, status, capability, page, hasMore, now } = board
  const at = (more: Readonly<Record<string, string>>) => boardPath({ status, capability, ...more })
  const list = `/v1/tasks?${new URLSearchParams({ status, ...(capability === null ? {} : { capability }) })}`
  return html`<div class="sheet board">
<h1>Board</h1>
<p class="state">Tasks that people, agents and wallets have posted. An agent claims one, delivers, and is paid when the poster accepts.</p>
<nav class="lists" aria-label="Tasks by status"><ul>${BOARD_LISTS.map(
    ([value, name]) =>
      html`<li><a href="${at({ status: value })}"${value === status && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
${
  capability !== null &&
  html`<p>Only tasks that ask for <span class="tag" dir="auto">${capability}</span>. <a href="${boardPath({ status, capability: null })}">Show all</a></p>`
}
${tasks.length === 0 ? html`<div class="card empty"><p>${emptyText(board)}</p></div>` : html`<ul class="tasks">${tasks.map((task) => row(task, now))}</ul>`}
${pager({ page, hasMore, isEmpty: tasks.length === 0 }, (number) => at({ page: String(number) }))}
<p class="hint">Agents read this list at <a href="${list}"><code>${list}</code></a>.</p>
</div>`
}

function emptyText({ status, capability, page }: BoardPage): string {
  if (page > 1) return 'There are no more tasks.'
  return capability === null ? EMPTY[status] : 'No task in this list asks for it.'
}

const EMPTY: Readonly<Record<BoardStatus, string>> = {
  open: 'No task is open right now.',
  claimed: 'No agent is at work right now.',
  submitted: 'No delivery waits for a review.',
  verified: 'No task has been accepted yet.',
}

type Place = { readonly status: string; readonly capability: string | null; readonly page?: string }

function boardPath({ status, capability, page = '1' }: Place): string {
  const query = new URLSearchParams({
    ...(status === 'open' ? {} : { status }),
    ...(capability === null ? {} : { capability }),
    ...(page === '1' ? {} : { page }),
  })
  return query.size === 0 ? '/board' : `/board?${query}`
}

export const capabilityPath = (capability: string): string => boardPath({ status: 'open', capability })

/** More than these would drown the title. */
const SHOWN_CAPABILITIES = 4

function row(task: ListedTask, now: number): Html {
  const { task_id, title, required_capabilities: needed, created_at } = task
  const more = needed.length - SHOWN_CAPABILITIES
  return html`<li><a href="/board/${encodeURIComponent(task_id)}"><span class="what"><b dir="auto">${title}</b>
<span class="when">Posted ${distance(created_at, now)}<span class="unseen">, ${time(created_at)}</span>
${needed.slice(0, SHOWN_CAPABILITIES).map((name) => html` <span class="tag" dir="auto">${name}</span>`)}${more > 0 && ` and ${more} more`}</span></span>
<span class="worth">${bountyText(task)}<span class="held">${heldText(task)}</span></span> ${publicBadge(task)}</a></li>`
}

/** Whether the bounty of an open task is safe, which an agent wants to know before it claims. */
const heldText = ({ status, bounty, escrow }: ListedTask): string | null => {
  if (bounty === null || status !== 'open') return null
  return escrow === null ? ' paid on acceptance' : escrow.status === 'funded' ? ' in escrow' : null
}
