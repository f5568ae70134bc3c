import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signRequest } from '@guildhall/protocol'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newOwner, type OwnerPlayer } from '../support/owners.ts'
import { setStage } from '../support/stage.ts'
import { fitting } from './fitting-values.ts'
import { HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_QUERIES, HOSTILE_SEGMENTS, HOSTILE_VALUES } from './hostile-values.ts'
import { misfit, operationsOf, type Parameter, type PublishedCall, problemByDocument } from './published-document.ts'
import { type PlainCall, plainSender } from './raw-call.ts'
import { type AgentRole, foundTown, setStatus, type Town } from './roles.ts'
import { CLOSED_DOORS, pathOf } from './sample-calls.ts'
import { hostileSeed, seeded } from './seeded.ts'

/** More calls find more. */
const CALLS_PER_OPERATION = Number(process.env.HOSTILE_CALLS ?? 10)
/** Where there is nothing to ask for, there is not much to get wrong. */
const CALLS_WITHOUT_A_CHOICE = 2
const CALLERS: readonly AgentRole[] = ['creator', 'deliverer', 'stranger', 'former claimer']

/** What these do to the whole sandbox when they are called as they should be is no matter for this. */
const ONLY_WRONG = new Set(['moveClock', 'setFaults'])

const stage = setStage({ settings: CLOSED_DOORS })
const sendPlain = plainSender()
const calls = operationsOf(JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')))
let town: Town
beforeAll(async () => {
  console.info(`HOSTILE_SEED=${hostileSeed}`)
  town = await foundTown(stage)
  await setStatus(stage, town.agents['suspended agent'], 'active')
})

type Draft = { path: string; query: [string, string][]; body: unknown; headers: Record<string, string> }

/** Everything as the document asks for it. */
function draftOf({ path, operation }: PublishedCall, sample: Sample): Draft {
  const { parameters = [], requestBody } = operation
  const values = (place: Parameter['in']) =>
    parameters.filter((parameter) => parameter.in === place && (parameter.required || sample.chance(0.4)))
  const known = pathOf(path, town.targets).split('/')
  const segments = path.split('/').map((segment, at) => {
    const parameter = parameters.find(({ name, in: place }) => place === 'path' && segment === `{${name}}`)
    if (parameter === undefined || sample.chance(0.8)) return known[at]
    return encodeURIComponent(String(sample.of(fitting(parameter.schema)))) || known[at]
  })
  const [content] = Object.values(requestBody?.content ?? {})
  const sendsBody = content !== undefined && (requestBody?.required || sample.chance(0.8))
  return {
    path: segments.join('/'),
    query: values('query').map(({ name, schema }) => [name, String(sample.of(fitting(schema)))]),
    body: sendsBody ? sample.of(fitting(content.schema)) : undefined,
    headers: Object.fromEntries(
      values('header')
        .filter(({ name }) => name === 'Idempotency-Key')
        .map(({ name, schema }) => [name, String(sample.of(fitting(schema)))]),
    ),
  }
}

type Sample = ReturnType<typeof sampler>

function sampler(from: number) {
  const random = seeded(from)
  return {
    chance: (of: number) => random() < of,
    among: <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T,
    of: <T>(arbitrary: fc.Arbitrary<T>): T =>
      fc.sample(arbitrary, { numRuns: 1, seed: Math.floor(random() * 2 ** 31) })[0] as T,
  }
}

/** One thing about it is changed, or everything. */
function spoil(draft: Draft, { operation, path }: PublishedCall, sample: Sample): Draft {
  const ways: (() => Draft)[] = [
    () => ({ ...draft, headers: { ...draft.headers, ...Object.fromEntries([sample.among(HOSTILE_HEADERS)]) } }),
  ]
  if (path.includes('{'))
    ways.push(() => ({ ...draft, path: path.replaceAll(/\{[^}]*\}/g, () => sample.among(HOSTILE_SEGMENTS)) }))
  for (const { name, in: place } of operation.parameters ?? [])
    if (place === 'query') ways.push(() => ({ ...draft, query: [[name, decodedQuery(sample.among(HOSTILE_QUERIES))]] }))
  const { body } = draft
  if (operation.requestBody !== undefined) ways.push(() => ({ ...draft, body: sample.among(HOSTILE_VALUES) }))
  if (typeof body === 'object' && body !== null)
    for (const name of Object.keys(body)) {
      ways.push(() => ({ ...draft, body: { ...body, [name]: sample.among(HOSTILE_VALUES) } }))
      ways.push(() => ({ ...draft, body: Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)) }))
    }
  return sample.among(ways)()
}

const decodedQuery = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a form cannot hold stands in it as JSON. */
const formOf = (body: object): string =>
  String(
    new URLSearchParams(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : `${JSON.stringify(value)}`,
      ]),
    ),
  )

function written(call: PublishedCall, draft: Draft, sample: Sample): PlainCall {
  const [type] = Object.keys(call.operation.requestBody?.content ?? {})
  const isForm = type === 'application/x-www-form-urlencoded'
  const raw = sample.chance(0.03) ? sample.among(HOSTILE_BODIES) : null
  const text = isForm ? formOf(draft.body ?? {}) : JSON.stringify(draft.body)
  const body = type === undefined ? null : (raw ?? text ?? null)
  const query = String(new URLSearchParams(draft.query))
  return {
    method: call.method,
    target: query === '' ? draft.path : `${draft.path}?${query}`,
    headers: { ...(body === null || type === undefined ? {} : { 'Content-Type': type }), ...draft.headers },
    body,
  }
}

/** What the document says has to be shown, by whoever it may be. */
function proofFor(call: PublishedCall, sent: PlainCall, owner: OwnerPlayer, sample: Sample): Record<string, string> {
  const [scheme] = (call.operation.security ?? []).flatMap((way) => Object.keys(way))
  if (scheme === undefined || sample.chance(0.05)) return {}
  if (scheme === 'OwnerSession') return { ...owner.headers }
  if (scheme === 'ManageToken') return { Authorization: `Bearer ${town.token}` }
  const { key: secretKey } = town.agents[sample.among(CALLERS)]
  const [path = ''] = sent.target.split('?')
  const timestamp = Math.floor(stage.now() / 1000)
  return { ...signRequest({ secretKey, method: sent.method, path, body: sent.body, timestamp, nonce: randomUUID() }) }
}

/** What is wrong with a call by the document; null where it is as it should be, or cannot be told. */
function wrongBody({ operation }: PublishedCall, { body }: PlainCall): string | null {
  const content = operation.requestBody?.content['application/json']
  if (content === undefined || body === null || body === '') return null
  try {
    return misfit(content.schema, JSON.parse(body))
  } catch {
    return 'it is not JSON'
  }
}

/** A segment may make another path of it. */
const isElsewhere = ({ path }: PublishedCall, { target }: PlainCall): boolean =>
  calls.some((other) => other.path !== path && other.path === target.split('?')[0])

const callsFor = ({ operation }: PublishedCall): number =>
  operation.parameters || operation.requestBody ? CALLS_PER_OPERATION : CALLS_WITHOUT_A_CHOICE

const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, hostileSeed)

test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s answers every call as the document says, and takes nothing that it says is wrong',
  async (name, call) => {
    const sample = sampler(seedOf(name))
    const owner = await newOwner(stage)
    for (let count = 0; count < callsFor(call); count++) {
      const right = draftOf(call, sample)
      const sent = written(call, sample.chance(0.5) ? right : spoil(right, call, sample), sample)
      const wrong = wrongBody(call, sent)
      if (isElsewhere(call, sent) || (wrong === null && ONLY_WRONG.has(call.operation.operationId))) continue
      const headers = { ...proofFor(call, sent, owner, sample), ...sent.headers }
      const answer = await sendPlain(stage.node().url, { ...sent, headers })
      const said = `seed ${hostileSeed}: ${JSON.stringify({ ...sent, headers }).slice(0, 1_500)}: ${answer.status} ${answer.text.slice(0, 500)}`
      expect(problemByDocument(call.operation, answer), said).toBeNull()
      if (wrong !== null) expect(answer.status, `${wrong}; ${said}`).toBeGreaterThanOrEqual(400)
    }
  },
)
