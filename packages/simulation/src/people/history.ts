import { Refusal, type World } from '@guildhall/server/parts'
import type { Day } from '../day.ts'
import { type Node, noteSurprise } from '../node.ts'
import type { Request } from './callers.ts'

/** A caller's answer; `unknown` when the connection was lost or the service could not say. */
export type Answer =
  | { readonly kind: 'ok'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }

export type Told = { readonly request: Request; readonly answer: Answer; readonly at: number }

/** All requests with their answers. */
export type History = Told[]

/** Sends a request to a node and records the answer. */
export async function ask(day: Day, history: History, node: Node, request: Request): Promise<Answer> {
  const who = request.by.slice(-4)
  const what = `${request.verb}${request.taskId === null ? '' : ` ${request.taskId.slice(-5)}`}`
  day.tell(() => `${who} asks ${node.name} to ${what}, with ${request.signature.slice(0, 20)}`)
  const answer = await onNode(day, node, request.verb, request.send)
  day.tell(() => `${who} learns from ${node.name} of ${what}: ${answer.kind === 'refused' ? answer.code : answer.kind}`)
  history.push({ request, answer, at: day.scheduler.now() })
  return answer
}

/** Runs something on a node, as long as the node lives. */
export function onNode(
  day: Day,
  { world, lost }: Node,
  what: string,
  work: (world: World) => Promise<unknown>,
): Promise<Answer> {
  if (world === null) return Promise.resolve({ kind: 'unknown' })
  return new Promise((resolve) => {
    const cut = () => resolve({ kind: 'unknown' })
    lost.add(cut)
    work(world)
      .then(
        (value) => resolve({ kind: 'ok', value }),
        (error: unknown) => {
          if (error instanceof Refusal) return resolve({ kind: 'refused', code: error.code })
          noteSurprise(day, what, error)
          resolve({ kind: 'unknown' })
        },
      )
      .finally(() => lost.delete(cut))
  })
}
