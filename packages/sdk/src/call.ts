import { type Endpoint, type EndpointName, endpoints } from '@guildhall/protocol'
import { answerFromTask, isInTask } from './answer-from-task.ts'
import { buildRequest } from './build-request.ts'
import type { Call, UntypedCallRequest } from './call-types.ts'
import { exchange } from './exchange.ts'
import { GuildhallError, isGuildhallError } from './guildhall-error.ts'
import { judgeExchange } from './judge-exchange.ts'
import { localErrors } from './local-errors.ts'
import { authorizePayment } from './payment/authorize-payment.ts'
import { proveManager } from './prove-manager.ts'
import type { ServerClock } from './server-clock.ts'
import type { Settings } from './settings.ts'
import { signParts } from './sign-parts.ts'
import { waitingTime } from './waiting-time.ts'

/** One function for every endpoint: fills in, signs, sends, pays when asked and allowed, and sends again when that is safe. */
export function createCall(settings: Settings, clock: ServerClock): Call {
  async function call(name: EndpointName, request: UntypedCallRequest = {}): Promise<unknown> {
    const declared: Endpoint = endpoints[name]
    if (declared.streams) throw new TypeError(`${name} goes on and on: read it with events.stream`)
    if (declared.page || declared.form) throw new TypeError(`${name} is a page: open it in a browser`)
    if (declared.auth === 'owner') throw new TypeError(`${name} is for signed-in people: use the console`)
    const key = keyFor(name, declared, settings)
    request.signal?.throwIfAborted()

    const parts = buildRequest(settings.baseUrl, declared, request)
    const sign = () => (key ? signParts(parts, key, clock.nowSeconds()) : {})
    const keyed = declared.method === 'POST' && request.idempotencyKey !== undefined
    const traits = {
      changes: declared.method !== 'GET',
      signed: key !== undefined,
      paid: declared.paid === true,
      inTask: isInTask(name),
      keyed,
    }
    const fixed = {
      ...headersOf(parts.body),
      ...(keyed && { 'Idempotency-Key': request.idempotencyKey ?? '' }),
      ...(await managing(declared, request)),
    }
    let progress = { ...traits, sent: 0, lost: false, clockCorrected: false, paidHere: false }
    let payment = request.pay?.signed ?? null
    let signature = sign()

    for (;;) {
      const headers = { ...fixed, ...signature, ...(payment && { 'PAYMENT-SIGNATURE': payment }) }
      const outcome = await exchange(settings, { ...parts, headers }, request.signal)
      progress = { ...progress, sent: progress.sent + 1 }
      const attemptsLeft = request.signal?.aborted ? 0 : settings.attempts - progress.sent
      const verdict = judgeExchange(outcome, { ...progress, attemptsLeft, payment })
      switch (verdict.do) {
        case 'return':
          return verdict.body
        case 'throw':
          throw isGuildhallError(verdict.error, 'no_answer') ? (request.signal?.reason ?? verdict.error) : verdict.error
        case 'repeat':
          progress = { ...progress, lost: progress.lost || verdict.lost }
          await settings.sleep(waitingTime(progress.sent, verdict.afterSeconds, settings.random), request.signal)
          // After a lost answer the attempt is made, and fails at once: only that way the call ends as unknown.
          if (!progress.lost) request.signal?.throwIfAborted()
          break
        case 'correct clock':
          clock.correct(verdict.serverSeconds)
          signature = sign()
          progress = { ...progress, clockCorrected: true }
          break
        case 'pay':
          // A payment's validity is by the service's clock, and the wallet is asked only once, so the clock is corrected first.
          if (outcome.kind === 'answer') clock.followDate(outcome.headers.get('date'))
          payment = await authorizePayment(verdict.refusal, name, request, settings, clock)
          // A 402 means that nothing has been done so far, so the attempts are counted again.
          progress = { ...progress, sent: 0, lost: false, clockCorrected: false, paidHere: true }
          break
        case 'look at task':
          return answerFromTask(name, await taskPaidWith(payment, verdict.taskId))
      }
    }
  }

  const managing = async ({ manages }: Endpoint, { manager, params, signal }: UntypedCallRequest) =>
    manages === undefined || manager === undefined
      ? {}
      : proveManager(typedCall, manager, {
          taskId: String(params?.id),
          action: manages,
          serviceName: settings.serviceName,
          signal,
        })

  async function taskPaidWith(payment: string | null, id: string) {
    try {
      return await typedCall('getTask', { params: { id } })
    } catch (cause) {
      const fields = { carried_out: 'yes', payment } as const
      throw new GuildhallError({ code: 'outcome_unknown', message: localErrors.outcome_unknown, fields, cause })
    }
  }

  const typedCall = call as Call
  return typedCall
}

function keyFor(name: EndpointName, declared: Endpoint, settings: Settings): Uint8Array | undefined {
  if (declared.auth === 'none' || declared.auth === 'manage') return undefined
  if (declared.auth === 'agent' && settings.key === undefined)
    throw new TypeError(`${name} has to be signed: a key is needed`)
  return settings.key
}

const headersOf = (body: string | null): Readonly<Record<string, string>> => ({
  Accept: 'application/json',
  ...(body === null ? {} : { 'Content-Type': 'application/json' }),
})
