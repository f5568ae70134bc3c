import { isPublicRead } from '@guildhall/protocol'
import type { Exchange } from './exchange.ts'
import type { DocumentAnswer, HtmlAnswer, JsonAnswer, StreamAnswer } from './handler.ts'
import type { WireAnswer } from './idempotency/seal-answer.ts'
import { ContractBrokenError, problemOfAnswer } from './problem-of-answer.ts'
import type { EndpointRoute } from './resources.ts'
import { withHeaders } from './response-heads.ts'
import { send, sendDocument, sendRevalidated, sendStream } from './send.ts'

type AnyAnswer = JsonAnswer | DocumentAnswer | StreamAnswer | HtmlAnswer

/** Cookies are not part of the stored answer: a repeat signs nobody in. */
export function setCookies(exchange: Exchange, { cookies = [] }: AnyAnswer): void {
  for (const cookie of cookies) exchange.extra.push('Set-Cookie', cookie)
}

/** Writes what a handler has returned. With `isChecked` it must be what the endpoint declares, or this throws. */
export function writeAnswer(exchange: Exchange, route: EndpointRoute, given: AnyAnswer, isChecked: boolean): void {
  setCookies(exchange, given)
  if ('page' in given) answerHtml(exchange, route, given)
  else if ('stream' in given) answerStream(exchange, route, given)
  else if ('document' in given) answerDocument(exchange, route, given, isChecked)
  else writeWire(exchange, route, wireOf(route, given, isChecked))
}

/** A JSON answer as it is sent, and stored for repeats. */
export function wireOf(route: EndpointRoute, given: AnyAnswer, isChecked: boolean): WireAnswer {
  const { declared } = route
  if ('page' in given) throw new ContractBrokenError(`${route.name} answered with a page, which it does not declare.`)
  if (!('body' in given))
    throw new ContractBrokenError(`${route.name} answered with a stream or a document, which cannot be repeated.`)
  const text = JSON.stringify(given.body)
  if (isChecked) checkText(route, text)
  return { status: given.status ?? declared.status ?? 200, headers: given.headers ?? {}, text }
}

function checkText({ name, declared }: EndpointRoute, text: string): void {
  const problem = problemOfAnswer(declared, text)
  if (problem !== null) throw new ContractBrokenError(`${name} answered something undeclared: ${problem}`)
}

function answerDocument(
  exchange: Exchange,
  route: EndpointRoute,
  { status, headers, document }: DocumentAnswer,
  isChecked: boolean,
): void {
  if (isChecked) checkText(route, document.text)
  const head = headers === undefined ? route.successHead : withHeaders(route.successHead, headers)
  sendDocument(exchange, status ?? 200, head, document)
}

export function writeWire(exchange: Exchange, { declared, successHead }: EndpointRoute, wire: WireAnswer): void {
  const { status, headers, text } = wire
  const head = Object.keys(headers).length === 0 ? successHead : withHeaders(successHead, headers)
  if (isPublicRead(declared) && status === 200) sendRevalidated(exchange, status, head, text)
  else send(exchange, status, head, text)
}

function answerHtml(exchange: Exchange, { declared, successHead, name }: EndpointRoute, given: HtmlAnswer): void {
  if (!declared.page) throw new ContractBrokenError(`${name} answered with a page, which it does not declare.`)
  send(exchange, given.status ?? declared.status ?? 200, withHeaders(successHead, given.headers ?? {}), given.page)
}

function answerStream(exchange: Exchange, route: EndpointRoute, { status, headers, stream }: StreamAnswer): void {
  const type = route.declared.streams ?? 'text/event-stream'
  const head = withHeaders(route.successHead, { 'Content-Type': type, ...headers })
  sendStream(exchange, status ?? 200, head, stream)
}
