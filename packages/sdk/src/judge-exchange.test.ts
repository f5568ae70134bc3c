import { expect, test } from 'vitest'
import { closedPort } from '../tests/support/closed-port.ts'
import { clientOf, failureOf, NOW, refusal, scriptedService } from '../tests/support/scripted-service.ts'
import { type Sleep, sleep } from './sleep.ts'

const serverTime = NOW / 1000

test('a read is sent again after a lost connection and after a 503, as Retry-After says', async () => {
  const busy = refusal(503, 'service_unavailable', {}, { 'Retry-After': '2' })
  const service = await scriptedService('drop', busy, { status: 502, body: 'bad gateway' }, { body: { status: 'ok' } })
  const { service: area, waits } = clientOf(service)
  expect(await area.health()).toEqual({ status: 'ok' })
  expect(waits).toEqual([188, 2100, 750])
})

test('attempts are bounded, and the last failure is thrown', async () => {
  const service = await scriptedService('drop', 'drop', 'drop', 'drop', 'drop')
  expect(await failureOf(clientOf(service).service.health())).toMatchObject({
    code: 'no_answer',
    retryable: true,
    status: 0,
  })
  expect(service.seen.length).toBe(4)
  const busy = await scriptedService(...Array(5).fill(refusal(503, 'service_unavailable')))
  expect(await failureOf(clientOf(busy, { attempts: 2 }).tasks.claim('task_1'))).toMatchObject({
    code: 'service_unavailable',
    retryable: true,
  })
  expect(busy.seen.length).toBe(2)
})

test('a wait of more than half a minute is left to the caller', async () => {
  const service = await scriptedService(refusal(503, 'service_unavailable', {}, { 'Retry-After': '600' }))
  const error = await failureOf(clientOf(service).service.health())
  expect(error).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 600 })
})

test('a change that may be done is not kept waiting for more than half a minute either', async () => {
  const service = await scriptedService(
    refusal(503, 'service_unavailable', { maybe_done: true }, { 'Retry-After': '600' }),
  )
  const client = clientOf(service)
  expect(await failureOf(client.tasks.claim('task_1'))).toMatchObject({
    code: 'outcome_unknown',
    cause: { code: 'service_unavailable', retryAfterSeconds: 600 },
  })
  expect(client.waits).toEqual([])
})

test('what the caller did wrong is not sent again', async () => {
  const service = await scriptedService(refusal(429, 'rate_limited', {}, { 'Retry-After': '1' }))
  expect(await failureOf(clientOf(service).service.health())).toMatchObject({ code: 'rate_limited', retryable: true })
  expect(service.seen.length).toBe(1)
})

test('a signed change whose answer was lost is repeated as the very same request', async () => {
  const service = await scriptedService('drop', { body: { ok: true, task_id: 'task_1', status: 'claimed' } })
  expect(await clientOf(service).tasks.claim('task_1')).toMatchObject({ status: 'claimed' })
  expect(service.seen[1]?.headers.authorization).toBe(service.seen[0]?.headers.authorization)
  expect(service.seen[1]?.headers['x-nonce']).toBe(service.seen[0]?.headers['x-nonce'])
})

test('signature_replayed after a lost answer means that the request was carried out', async () => {
  const service = await scriptedService('drop', refusal(401, 'signature_replayed'))
  const error = await failureOf(clientOf(service).tasks.claim('task_1'))
  expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'yes', payment: null } })
})

const maybeDone = refusal(503, 'service_unavailable', { maybe_done: true }, { 'Retry-After': '2' })

test('a 503 that says maybe_done is as good as a lost answer', async () => {
  const service = await scriptedService(maybeDone, refusal(401, 'signature_replayed'))
  const client = clientOf(service)
  expect(await failureOf(client.tasks.claim('task_1'))).toMatchObject({
    code: 'outcome_unknown',
    retryable: false,
    fields: { carried_out: 'yes' },
  })
  expect(client.waits).toEqual([2100])
  expect(service.seen[1]?.headers.authorization).toBe(service.seen[0]?.headers.authorization)

  const forEver = await scriptedService(...Array(5).fill(maybeDone))
  expect(await failureOf(clientOf(forEver).tasks.claim('task_1'))).toMatchObject({
    code: 'outcome_unknown',
    retryable: false,
    fields: { carried_out: 'perhaps' },
    cause: { code: 'service_unavailable' },
  })
  const unsigned = await scriptedService(maybeDone, {})
  expect(await failureOf(clientOf(unsigned).sandbox.moveClock(60))).toMatchObject({ code: 'outcome_unknown' })
  expect(unsigned.seen.length).toBe(1)
})

test('a read is sent again after a 503, whatever that says of changes', async () => {
  const service = await scriptedService(maybeDone, { body: { status: 'ok' } })
  expect(await clientOf(service).service.health()).toEqual({ status: 'ok' })
})

test('signature_replayed without a lost answer is thrown unchanged', async () => {
  const service = await scriptedService(refusal(401, 'signature_replayed'))
  expect(await failureOf(clientOf(service).tasks.claim('task_1'))).toMatchObject({ code: 'signature_replayed' })
})

test('a refusal of the repeat does not tell what became of the lost request', async () => {
  const service = await scriptedService('drop', refusal(409, 'conflict', { status: 'claimed' }))
  const error = await failureOf(clientOf(service).tasks.claim('task_1'))
  expect(error).toMatchObject({
    code: 'outcome_unknown',
    fields: { carried_out: 'perhaps' },
    cause: { code: 'conflict' },
  })
})

test('an unsigned change whose answer was lost is not repeated', async () => {
  const service = await scriptedService('drop', {})
  const error = await failureOf(clientOf(service).sandbox.moveClock(60))
  expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'perhaps', payment: null } })
  expect(service.seen.length).toBe(1)
})

test('a gateway that answers for the service leaves a change unknown', async () => {
  const service = await scriptedService({ status: 504, body: 'timeout' })
  expect(await failureOf(clientOf(service).sandbox.moveClock(60))).toMatchObject({ code: 'outcome_unknown' })
})

test.each([
  ['a success that cannot be read', { status: 200, body: '{"ok":tr' }],
  ['a 500 of something in between', { status: 500, body: '<h1>Oops</h1>' }],
  ['a 520 of something in between', { status: 520, body: 'web server returned an unknown error' }],
])('%s leaves a change unknown: a signed one is repeated unchanged, another is not', async (_, garbled) => {
  const service = await scriptedService(garbled, refusal(401, 'signature_replayed'))
  expect(await failureOf(clientOf(service).tasks.claim('task_1'))).toMatchObject({
    code: 'outcome_unknown',
    fields: { carried_out: 'yes' },
  })
  expect(service.seen[1]?.headers.authorization).toBe(service.seen[0]?.headers.authorization)
  const unsigned = await scriptedService(garbled, {})
  expect(await failureOf(clientOf(unsigned).sandbox.moveClock(60))).toMatchObject({
    code: 'outcome_unknown',
    fields: { carried_out: 'perhaps' },
    cause: { code: 'unexpected_answer' },
  })
  expect(unsigned.seen.length).toBe(1)
})

test('an internal error leaves a change unknown and is not sent again; of a read it is thrown unchanged', async () => {
  const service = await scriptedService(refusal(500, 'internal_error'))
  expect(await failureOf(clientOf(service).tasks.claim('task_1'))).toMatchObject({
    code: 'outcome_unknown',
    fields: { carried_out: 'perhaps' },
    cause: { code: 'internal_error', requestId: 'req_12345678' },
  })
  expect(service.seen.length).toBe(1)
  const reading = await scriptedService(refusal(500, 'internal_error'))
  expect(await failureOf(clientOf(reading).service.health())).toMatchObject({ code: 'internal_error', status: 500 })
})

test('a change is sent again when the connection was refused', async () => {
  const service = await scriptedService({ body: { now: 'later' } })
  const closed = await closedPort()
  let refused = 0
  const unreliable: typeof fetch = (input, init) => fetch(refused++ === 0 ? closed : input, init)
  const { sandbox } = clientOf(service, { fetch: unreliable })
  expect(await sandbox.moveClock(60)).toEqual({ now: 'later' })
  expect(refused).toBe(2)
})

test('a lost request is not signed anew, for it could then be carried out twice', async () => {
  const service = await scriptedService(
    'drop',
    refusal(401, 'timestamp_out_of_range', { server_time: serverTime + 90 }),
  )
  expect(await failureOf(clientOf(service).tasks.claim('task_1'))).toMatchObject({ code: 'outcome_unknown' })
  expect(service.seen.length).toBe(2)
})

test('a call that was aborted ends with the reason, or as unknown when it may have been carried out', async () => {
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new Error('enough'))
    return 'drop' as const
  }
  const service = await scriptedService(abort)
  const reading = failureOf(clientOf(service).service.health({ signal: controller.signal }))
  expect(await reading).toMatchObject({ message: 'enough' })

  const second = new AbortController()
  const changing = await scriptedService(() => {
    second.abort(new Error('enough'))
    return 'drop'
  })
  const error = await failureOf(clientOf(changing).tasks.claim('task_1', { signal: second.signal }))
  expect(error).toMatchObject({ code: 'outcome_unknown' })
  expect(changing.seen.length).toBe(1)

  const none = await scriptedService()
  expect(await failureOf(clientOf(none).tasks.claim('task_1', { signal: second.signal }))).toMatchObject({
    message: 'enough',
  })
  expect(none.seen).toEqual([])
})

test('aborting ends a wait for the next attempt: with the reason, or as unknown when an answer was lost', async () => {
  const claimUntilAborted = (service: Parameters<typeof clientOf>[0]) => {
    const controller = new AbortController()
    const abortMeanwhile: Sleep = (ms, signal) => {
      setTimeout(() => controller.abort(new Error('enough')))
      return sleep(ms, signal)
    }
    return failureOf(clientOf(service, { sleep: abortMeanwhile }).tasks.claim('task_1', { signal: controller.signal }))
  }
  const busy = refusal(503, 'service_unavailable', {}, { 'Retry-After': '20' })
  const waiting = await scriptedService(busy, {})
  expect(await claimUntilAborted(waiting)).toMatchObject({ message: 'enough' })
  expect(waiting.seen.length).toBe(1)
  const unsure = refusal(503, 'service_unavailable', { maybe_done: true }, { 'Retry-After': '20' })
  const lost = await scriptedService(unsure, {})
  expect(await claimUntilAborted(lost)).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'perhaps' } })
  expect(lost.seen.length).toBe(1)
})

const keyed = { idempotencyKey: 'my-key-0001' }
const claimed = { body: { ok: true, task_id: 'task_1', status: 'claimed' } }

test('an Idempotency-Key goes with every attempt of a change, and with no read', async () => {
  const service = await scriptedService('drop', claimed, { body: { status: 'ok' } })
  const client = clientOf(service)
  await client.tasks.claim('task_1', keyed)
  await client.service.health(keyed)
  expect(service.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'my-key-0001',
    'my-key-0001',
    undefined,
  ])
})

test('a key that no header can carry is the caller’s mistake, not a lost answer', async () => {
  const service = await scriptedService(claimed)
  const error = await failureOf(clientOf(service).tasks.claim('task_1', { idempotencyKey: 'schlüssel-№1' }))
  expect(error).toBeInstanceOf(TypeError)
  expect(service.seen.length).toBe(0)
})

test('with a key an unsigned change is sent again too', async () => {
  const report = {
    scope: 'general',
    environment: 'Here',
    expectedBehavior: 'This',
    actualBehavior: 'That',
    stepsToReproduce: 'So',
    skillVersion: '1',
  } as const
  const given = { ok: true, feedback_id: 'fb_1', status: 'received', anonymous: true, created_at: '2026-01-01' }
  const service = await scriptedService('drop', { body: given })
  expect(await clientOf(service, { key: undefined }).feedback.give(report, keyed)).toMatchObject({
    feedback_id: 'fb_1',
  })
  const once = await scriptedService('drop')
  const failure = await failureOf(clientOf(once, { key: undefined }).feedback.give(report))
  expect(failure).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'perhaps' } })
})

test('with a key a lost request may be signed anew', async () => {
  const skewed = refusal(401, 'timestamp_out_of_range', { server_time: serverTime + 500 })
  const service = await scriptedService('drop', skewed, claimed)
  expect(await clientOf(service).tasks.claim('task_1', keyed)).toMatchObject({ status: 'claimed' })
})

test('while the first attempt still runs, the next one waits for its answer', async () => {
  const running = refusal(409, 'idempotency_in_progress', {}, { 'Retry-After': '1' })
  const service = await scriptedService('drop', running, running, claimed)
  expect(await clientOf(service).tasks.claim('task_1', keyed)).toMatchObject({ status: 'claimed' })
})

test('a change whose answer is lost for good is reported as carried out', async () => {
  const service = await scriptedService(refusal(409, 'idempotency_answer_lost'))
  const error = await failureOf(clientOf(service).tasks.claim('task_1', keyed))
  expect(error).toMatchObject({ code: 'outcome_unknown', fields: { carried_out: 'yes' } })
})
