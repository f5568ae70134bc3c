import type { Endpoint } from '@guildhall/protocol'
import type { UntypedCallRequest } from './call-types.ts'

export type RequestParts = {
  readonly method: string
  readonly url: string
  /** The raw path of the request line, which is also what is signed. */
  readonly path: string
  readonly body: string | null
}

/** Fills a declaration with a caller's values. */
export function buildRequest(baseUrl: string, declared: Endpoint, request: UntypedCallRequest): RequestParts {
  const url = new URL(fillPath(declared.path, request.params ?? {}), baseUrl)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return { method: declared.method, url: url.href, path: url.pathname, body: bodyText(declared, request.body) }
}

function fillPath(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    // URLs give these a special meaning, so a path cannot carry them as a name.
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`${JSON.stringify(value)} is not a value for ${name}`)
    return encodeURIComponent(value)
  })
}

function bodyText(declared: Endpoint, body: unknown): string | null {
  if (!declared.body || (body === undefined && declared.bodyOptional)) return null
  return JSON.stringify(body ?? {})
}
