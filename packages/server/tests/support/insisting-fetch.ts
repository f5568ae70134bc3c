import { pauseMs } from './until.ts'

const PAUSE_MS = 200
const MOST_TIMES = 50

/** Sends again what a node was too busy for, as every caller may: nothing was done then. Who stays too busy is seen. */
export const insistingFetch: typeof fetch = async (input, init) => {
  for (let times = 1; ; times++) {
    const answer = await fetch(input, init)
    if (times === MOST_TIMES || answer.status !== 503 || !(await wasTooBusy(answer.clone()))) return answer
    await pauseMs(PAUSE_MS)
  }
}

async function wasTooBusy(answer: Response): Promise<boolean> {
  const body = (await answer.json().catch(() => ({}))) as { readonly error?: string; readonly maybe_done?: boolean }
  return body.error === 'service_unavailable' && body.maybe_done !== true
}
