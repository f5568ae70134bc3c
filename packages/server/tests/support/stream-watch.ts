import { until } from './until.ts'

/** A fetch that knows how many event streams it has opened: what happens from then on is heard. */
export function streamWatch(): { readonly fetch: typeof fetch; opened(count?: number): Promise<unknown> } {
  let open = 0
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (response.ok && String(input).includes('/events/stream')) open++
      return response
    },
    opened: (count = 1) =>
      until(
        async () => open,
        (seen) => seen >= count,
      ),
  }
}
