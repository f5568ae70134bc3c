/** The raw path, which is what an agent signs, and the raw query of a request line. */
export type RequestTarget = { readonly path: string; readonly query: string }

const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/

/** Null unless the target is in origin form: a path of visible ASCII, without a host or a fragment. */
export function parseTarget(target: string): RequestTarget | null {
  if (!ORIGIN_FORM.test(target)) return null
  const mark = target.indexOf('?')
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
