import { type Endpoint, type ErrorCode, type RateLimit, refusalsOf } from '@guildhall/protocol'
import { type Waits, waitsOf } from './doors/waits.ts'
import type { Handler } from './handler.ts'
import type { Page } from './page.ts'
import {
  type Head,
  isCrossOrigin,
  optionsHead,
  pageHead,
  preflightHead,
  REFUSED,
  REFUSED_HERE,
  refusalHead,
  successHead,
} from './response-heads.ts'

/** An endpoint with everything that is the same for every call. */
export type EndpointRoute = {
  readonly name: string
  readonly declared: Endpoint
  readonly handler: Handler
  readonly parameters: readonly string[]
  /** The limit per caller or network, if there is one. */
  readonly limit: RateLimit | null
  /** That limit, and the limit per mail address. */
  readonly limits: readonly RateLimit[]
  readonly waits: Waits
  readonly refusals: ReadonlySet<ErrorCode>
  readonly successHead: Head
  readonly refusalHead: Head
}

export type PageRoute = { readonly page: Page; readonly parameters: readonly string[]; readonly head: Head }

/** Everything mounted at one path. */
export type Resource = {
  readonly template: string
  readonly endpoints: ReadonlyMap<string, EndpointRoute>
  readonly pages: readonly PageRoute[]
  readonly allow: string
  readonly optionsHead: Head
  /** The head of a refusal of a method. */
  readonly refusalHead: Head
}

export type Mounting = {
  readonly endpoints: Readonly<Record<string, Endpoint>>
  readonly handlers: Readonly<Record<string, Handler | undefined>>
  readonly pages: readonly Page[]
  readonly sandbox: boolean
  readonly registrationLimited: boolean
}

type Draft = { readonly template: string; readonly endpoints: Map<string, EndpointRoute>; readonly pages: PageRoute[] }

/** All resources by template, read from the declarations. */
export function mountResources(mounting: Mounting): ReadonlyMap<string, Resource> {
  const drafts = new Map<string, Draft>()
  const draftAt = (path: string): Draft => {
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}')
    const draft = drafts.get(shape) ?? { template: path, endpoints: new Map(), pages: [] }
    drafts.set(shape, draft)
    return draft
  }
  for (const [name, declared] of Object.entries(mounting.endpoints)) {
    if (declared.sandboxOnly && !mounting.sandbox) continue
    for (const path of [declared.path, ...(declared.alsoAt ?? [])]) {
      const { endpoints } = draftAt(path)
      if (endpoints.has(declared.method)) throw new Error(`${declared.method} ${path} is declared twice.`)
      endpoints.set(declared.method, endpointRoute(mounting, name, declared, path))
    }
  }
  for (const page of mounting.pages) draftAt(page.path).pages.push(pageRoute(page))
  return new Map([...drafts.values()].map((draft) => [draft.template, finish(draft)]))
}

const parametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '')

function endpointRoute(mounting: Mounting, name: string, declared: Endpoint, path: string): EndpointRoute {
  const handler = mounting.handlers[name]
  if (handler === undefined) throw new Error(`The endpoint ${name} has no handler.`)
  const unlimited = !mounting.registrationLimited && declared.limit?.name.startsWith('register-')
  const limit = unlimited ? null : (declared.limit ?? null)
  return {
    name,
    declared,
    handler,
    parameters: parametersOf(path),
    limit,
    limits: [limit, declared.addressLimit ?? null].filter((known) => known !== null),
    waits: waitsOf(declared),
    refusals: new Set(refusalsOf(declared)),
    successHead: successHead(declared),
    refusalHead: refusalHead(declared),
  }
}

const pageRoute = (page: Page): PageRoute => ({
  page,
  parameters: parametersOf(page.path),
  head: pageHead({ crossOrigin: page.crossOrigin === true, negotiated: page.accepts !== undefined }),
})

/** Where a page shares the path, the endpoint's answer depends on Accept, too. */
const negotiated = (route: EndpointRoute): EndpointRoute => ({
  ...route,
  successHead: [...route.successHead, 'Vary', 'Accept'],
})

function finish({ template, endpoints: declared, pages }: Draft): Resource {
  const shared = declared.has('GET') && pages.some(({ page }) => page.accepts)
  const endpoints = new Map(
    [...declared].map(([method, route]) => [method, shared && method === 'GET' ? negotiated(route) : route]),
  )
  const methods = new Set<string>(endpoints.keys())
  for (const { page } of pages) methods.add(page.method ?? 'GET')
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  const allow = [...methods].sort().join(', ')
  const open: string[] = [...endpoints.values()]
    .filter((route) => isCrossOrigin(route.declared))
    .map(({ declared: { method } }) => method)
  if (pages.some(({ page }) => page.crossOrigin)) open.push('GET')
  return {
    template,
    endpoints,
    pages,
    allow,
    ...(open.length > 0
      ? { optionsHead: preflightHead(allow, preflightMethods(open)), refusalHead: REFUSED }
      : { optionsHead: optionsHead(allow), refusalHead: REFUSED_HERE }),
  }
}

/** The methods that scripts of other origins may use at a path. */
const preflightMethods = (open: readonly string[]): string =>
  [...new Set([...open, ...(open.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort().join(', ')
