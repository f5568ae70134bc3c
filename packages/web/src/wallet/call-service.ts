export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

export type ServiceCall = {
  readonly path: string
  readonly csrf: string
  /** The Idempotency-Key, the same for all attempts. */
  readonly key: string
  /** Null where the call takes none. */
  readonly body: unknown
}

const ATTEMPTS = 3
const WAIT_MS = 1_500

/**
 * Calls the owner's API. A call whose answer is lost, or that the service could not take just now, is sent again unchanged:
 * its key and its payment count once.
 */
export async function callService(call: ServiceCall, payment: string | null): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(call, payment).catch((error: unknown) => {
      if (attempt === ATTEMPTS) throw new Error(`The service could not be reached: ${String(error)}`)
      return null
    })
    if (answer !== null && (!isPassing(answer) || attempt === ATTEMPTS)) return answer
    await new Promise((resolve) => setTimeout(resolve, attempt * WAIT_MS))
  }
}

const PASSING: readonly unknown[] = ['service_unavailable', 'facilitator_unavailable', 'idempotency_in_progress']

const isPassing = ({ body }: Answer): boolean => PASSING.includes(body.error)

async function send({ path, csrf, key, body }: ServiceCall, payment: string | null): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      'X-CSRF-Token': csrf,
      'Idempotency-Key': key,
      ...(payment === null ? {} : { 'PAYMENT-SIGNATURE': payment }),
    },
    body: body === null ? null : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
