export type Match<T> = { readonly value: T; readonly segments: readonly string[] }
export type RouteTable<T> = { find(path: string): Match<T> | null }

type Node<T> = { readonly children: Map<string, Node<T>>; parameter: Node<T> | null; value: T | null }

const node = <T>(): Node<T> => ({ children: new Map(), parameter: null, value: null })

/** Finds what is mounted at a raw path; templates are like /v1/tasks/{id}, and a fixed segment wins over a parameter. */
export function createRouteTable<T>(mounted: Iterable<readonly [template: string, value: T]>): RouteTable<T> {
  const fixed = new Map<string, Match<T>>()
  const root = node<T>()
  for (const [template, value] of mounted) {
    if (template.includes('{')) mount(root, template, value)
    else fixed.set(template, { value, segments: [] })
  }
  return {
    find(path) {
      const exact = fixed.get(path)
      if (exact !== undefined) return exact
      const segments: string[] = []
      const value = walk(root, path, 1, segments)
      return value === null ? null : { value, segments }
    },
  }
}

function mount<T>(root: Node<T>, template: string, value: T): void {
  let at = root
  for (const segment of template.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      at.parameter ??= node<T>()
      at = at.parameter
    } else {
      const child = at.children.get(segment) ?? node<T>()
      at.children.set(segment, child)
      at = child
    }
  }
  at.value = value
}

/**
 * Tries the fixed segment first and backtracks to the parameter: /v1/agents/me/wallet is not lost to /v1/agents/me/claim-budget.
 */
function walk<T>(at: Node<T>, path: string, start: number, segments: string[]): T | null {
  const slash = path.indexOf('/', start)
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash)
  const below = (child: Node<T>): T | null => (slash === -1 ? child.value : walk(child, path, slash + 1, segments))

  const child = at.children.get(segment)
  const found = child === undefined ? null : below(child)
  if (found !== null || at.parameter === null || segment === '') return found

  segments.push(segment)
  const value = below(at.parameter)
  if (value === null) segments.pop()
  return value
}
