import { type Endpoint, endpoints } from '@guildhall/protocol'

const LOCK: Readonly<Record<Endpoint['auth'], string>> = {
  none: '',
  optional: '',
  agent: ' (signed)',
  manage: ' (token)',
  owner: ' (session)',
}

/** Every endpoint, one line per area. */
export function endpointsList(sandbox: boolean): string {
  const shown = Object.values<Endpoint>(endpoints).filter(
    ({ sandboxOnly, deprecated, auth, page }) => !deprecated && auth !== 'owner' && !page && (sandbox || !sandboxOnly),
  )
  const areas = Map.groupBy(shown, ({ area }) => area)
  return [...areas]
    .map(([area, list]) => {
      const calls = list.map(({ method, path, auth }) => `\`${method} ${path}\`${LOCK[auth]}`)
      return `- **${area}**: ${calls.join(', ')}`
    })
    .join('\n')
}
