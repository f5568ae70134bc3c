import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { atDesk } from './support/desk.ts'
import { confirmLink, linkIn, mailsTo, mailTo, newEmail, newOwner } from './support/owners.ts'
import { outcomeOf, type RawAnswer, send } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { anIntake } from './support/test-results.ts'

const stage = setStage()
const store = () => stage.node().service.world.store
const headers = { 'Content-Type': 'application/json' }

const submit = (body: unknown, more: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  send(stage, {
    method: 'POST',
    path: '/v1/testing/intake',
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  })

const requestsOf = async (email: string) =>
  (await store().listTestingRequests({ status: null, before: null, limit: 500 })).filter((one) => one.email === email)

type Issues = readonly { readonly path: string }[]
const pathsOf = ({ body }: RawAnswer) => (body.issues as Issues).map(({ path }) => path)

/** Hits of a network end with the hour. */
const nextHour = () => stage.travel(3_600_000)

describe('an intake', () => {
  test('is answered alike for known and unknown addresses, and waits until its link is confirmed', async () => {
    const [known, unknown] = [(await newOwner(stage)).email, newEmail()]
    const [one, two] = [
      await submit({ email: known, intake: anIntake }),
      await submit({ email: unknown, intake: anIntake }),
    ]
    expect([one.status, two.status]).toEqual([202, 202])
    const { request_id: _, ...first } = one.body
    const { request_id: __, ...second } = two.body
    expect(second).toEqual(first)
    for (const email of [known, unknown]) expect(await requestsOf(email)).toMatchObject([{ status: 'unconfirmed' }])
    const mail = await mailTo(stage, unknown)
    const owner = await confirmLink(stage, unknown, linkIn(mail))
    const [request] = await requestsOf(unknown)
    expect(request).toMatchObject({ status: 'confirmed', email: unknown })
    const { body } = await owner.call('GET', `/v1/owner/testing/requests/${request?.id}`)
    expect(body).toMatchObject({
      request: { status: 'confirmed', product_name: anIntake.product_name, note: null },
      scope: { workflow_objective: anIntake.workflow_objective },
      runs: [
        { run: 1, status: 'waiting' },
        { run: 2, status: 'waiting' },
        { run: 3, status: 'waiting' },
      ],
      report: null,
    })
  })

  test('is in the mail by the product’s name alone, made harmless', async () => {
    const email = newEmail()
    const product_name = '<b>Win</b>\u202e http://evil.example/x\r\nBcc: all'
    expect((await submit({ email, intake: { ...anIntake, product_name } })).status).toBe(202)
    const { subject, text } = await mailTo(stage, email)
    expect(subject).toBe('Confirm your test request on Guildhall')
    expect(text).toContain('to have “b Win b http evil example x Bcc all” tested')
    expect(text).not.toMatch(/zanzibar|evil\.example|<b>/i)
  })

  test.each([
    ['no authority', { ...anIntake, authority_declaration: false }, 'intake.authority_declaration'],
    ['a name of blanks', { ...anIntake, product_name: ' \u200b\n' }, 'intake.product_name'],
    ['an objective of blanks', { ...anIntake, workflow_objective: '   ' }, 'intake.workflow_objective'],
    ['a script for an address', { ...anIntake, product_url: 'javascript:alert(1)' }, 'intake.product_url'],
    ['credentials in an address', { ...anIntake, product_url: 'https://a:b@c.example/' }, 'intake.product_url'],
    ['a key', { ...anIntake, known_constraints: `Use ghp_${'a1B2c3D4e5'.repeat(4)}` }, 'intake.known_constraints'],
    [
      'a password in a step',
      { ...anIntake, allowed_operations: { read_only: false, sandbox_write_steps: ['password: hunter2-is-mine!'] } },
      'intake.allowed_operations.sandbox_write_steps.0',
    ],
    ['a name of 201 characters', { ...anIntake, product_name: 'x'.repeat(201) }, 'intake.product_name'],
    [
      '21 steps',
      { ...anIntake, allowed_operations: { read_only: false, sandbox_write_steps: Array(21).fill('One.') } },
      'intake.allowed_operations.sandbox_write_steps',
    ],
  ])('with %s is 422, names the field and keeps nothing', async (_, intake, path) => {
    await nextHour()
    const email = newEmail()
    const answer = await submit({ email, intake })
    expect(outcomeOf(answer)).toBe('422 intake_invalid')
    expect(pathsOf(answer)).toContain(path)
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|ghp_/)
    expect(await requestsOf(email)).toEqual([])
    expect(await mailsTo(stage, email)).toEqual([])
  })

  test('has its unknown fields ignored: nothing of them is kept', async () => {
    await nextHour()
    const email = newEmail()
    const allowed_operations = { ...anIntake.allowed_operations, colour: 'blue' }
    expect(
      (await submit({ email, intake: { ...anIntake, allowed_operations, colour: 'blue' }, colour: 'blue' })).status,
    ).toBe(202)
    const [request] = await requestsOf(email)
    expect(request?.scope.allowed_operations).toEqual(anIntake.allowed_operations)
    expect(request?.scope).not.toHaveProperty('colour')
  })

  test('at its limits is taken', async () => {
    await nextHour()
    const intake = {
      ...anIntake,
      product_name: '🏛'.repeat(200),
      allowed_operations: { read_only: false, sandbox_write_steps: Array(20).fill('One.') },
    }
    expect((await submit({ email: newEmail(), intake })).status).toBe(202)
  })

  test.each(['', 'no-at', 'a@b\r\nBcc: c@d.example', `${'a'.repeat(1000)}@example.org`])(
    'from the address %j is 422',
    async (email) => {
      await nextHour()
      expect(outcomeOf(await submit({ email, intake: anIntake }))).toBe('422 intake_invalid')
    },
  )

  test('is taken for an address three times while none is confirmed, and a fourth time once one has been forgotten', async () => {
    await nextHour()
    const email = newEmail()
    const all = await Promise.all(Array.from({ length: 4 }, () => submit({ email, intake: anIntake })))
    expect(all.map(outcomeOf).sort()).toEqual(['202', '202', '202', '429 rate_limited'])
    const refused = all.find(({ status }) => status === 429)
    const seconds = Number(refused?.headers.get('retry-after'))
    expect(refused?.headers.get('ratelimit-policy')).toBe('"testing-intake-pending";q=3;w=86400')
    expect(refused?.headers.get('ratelimit')).toBe(`"testing-intake-pending";r=0;t=${seconds}`)
    expect(seconds).toBeGreaterThan(86_400 - 60)
    await nextHour()
    const later = await submit({ email, intake: anIntake })
    expect(outcomeOf(later)).toBe('429 rate_limited')
    expect(Number(later.headers.get('retry-after'))).toBeLessThanOrEqual(seconds - 3_600)
    await stage.travel(Number(later.headers.get('retry-after')) * 1_000)
    expect((await submit({ email, intake: anIntake })).status).toBe(202)
  })

  test('is taken ten times an hour from one network, and not eleven times', async () => {
    await nextHour()
    const answers: RawAnswer[] = []
    for (let place = 0; place < 11; place++) answers.push(await submit({ email: newEmail(), intake: anIntake }))
    expect(answers.map(outcomeOf)).toEqual([...Array(10).fill('202'), '429 rate_limited'])
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';t=')[0])).toEqual([
      ...Array.from({ length: 10 }, (_, place) => `"testing-intake";r=${9 - place}`),
      '"testing-intake";r=0',
    ])
  })

  test('that is not valid, or holds a secret, uses up no limit', async () => {
    await nextHour()
    const email = newEmail()
    const secret = { ...anIntake, known_constraints: 'Use the password: hunter2-hunter2-hunter2.' }
    for (let count = 0; count < 10; count++) {
      expect(outcomeOf(await submit({ email, intake: {} }))).toBe('422 intake_invalid')
      expect(outcomeOf(await submit({ email, intake: secret }))).toBe('422 intake_invalid')
    }
    expect((await submit({ email, intake: anIntake })).headers.get('ratelimit')).toMatch(/^"testing-intake";r=9;/)
  })

  test('expires when nobody confirms it within a day, and is gone for good a week later', async () => {
    await nextHour()
    const email = newEmail()
    await submit({ email, intake: anIntake })
    await stage.travel(DAY)
    expect(await requestsOf(email)).toMatchObject([{ status: 'expired', ownerId: null }])
    const ended = (await requestsOf(email))[0]?.endedAt ?? 0
    await store().transaction((tx) => tx.forgetExpired(ended + 7 * DAY - 1))
    expect(await requestsOf(email)).toHaveLength(1)
    await store().transaction((tx) => tx.forgetExpired(ended + 7 * DAY))
    expect(await requestsOf(email)).toEqual([])
  })
})

describe('an owner', () => {
  test('asks without a mail, sees only own requests, and confirms what waits under the own address', async () => {
    await nextHour()
    const [owner, other] = [await newOwner(stage), await newOwner(stage)]
    const made = await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    expect(made.status).toBe(201)
    expect(made.headers.get('ratelimit-policy')).toBe('"testing-requests";q=20;w=3600')
    expect(made.headers.get('ratelimit')).toMatch(/^"testing-requests";r=19;t=[0-9]+$/)
    const id = String((made.body.request as { request_id: string }).request_id)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/retest'],
      ['POST', '/confirm'],
    ] as const)
      expect(outcomeOf(await other.call(method, `/v1/owner/testing/requests/${id}${path}`))).toBe('404 not_found')
    expect(outcomeOf(await owner.call('POST', `/v1/owner/testing/requests/${id}/retest`))).toBe('409 invalid_state')
    await submit({ email: owner.email, intake: anIntake })
    const list = await owner.call('GET', '/v1/owner/testing/requests')
    const requests = list.body.requests as readonly { request_id: string; status: string }[]
    expect(requests.map(({ status }) => status)).toEqual(['unconfirmed', 'confirmed'])
    const waiting = requests[0]?.request_id
    const refused = await other.call('POST', `/v1/owner/testing/requests/${waiting}/confirm`)
    expect(outcomeOf(refused)).toBe('404 not_found')
    expect(refused.body).toMatchObject({ message: 'You have no testing request with this id.' })
    expect((await owner.call('POST', `/v1/owner/testing/requests/${waiting}/confirm`)).body).toMatchObject({
      request: { status: 'confirmed' },
    })
    expect(outcomeOf(await owner.call('POST', `/v1/owner/testing/requests/${waiting}/confirm`))).toBe(
      '409 invalid_state',
    )
    const empty = await other.call('GET', '/v1/owner/testing/requests')
    expect(empty.body.requests).toEqual([])
  })

  test('pages through the list', async () => {
    const owner = await newOwner(stage)
    for (let place = 0; place < 3; place++) await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    const first = await owner.call('GET', '/v1/owner/testing/requests?limit=2')
    expect(first.body.requests).toHaveLength(2)
    const next = await owner.call('GET', `/v1/owner/testing/requests?limit=2&cursor=${first.body.next_cursor}`)
    expect(next.body).toMatchObject({ requests: [{}], next_cursor: null })
    for (const cursor of ['x', 'task_0000000000000000000000000000', '%F0%9F%98%80'])
      expect(outcomeOf(await owner.call('GET', `/v1/owner/testing/requests?cursor=${cursor}`))).toBe(
        '400 invalid_cursor',
      )
  })

  test('has ten requests under way and not eleven', async () => {
    const owner = await newOwner(stage)
    const answers: number[] = []
    for (let place = 0; place < 11; place++)
      answers.push((await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })).status)
    expect(answers).toEqual([...Array(10).fill(201), 429])
  })

  test('with ten requests under way reads of that limit in the answer that refuses one more', async () => {
    await nextHour()
    const owner = await newOwner(stage)
    await submit({ email: owner.email, intake: anIntake })
    const [waiting] = await requestsOf(owner.email)
    const ask = () => owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    for (let place = 0; place < 10; place++) await ask()
    for (const refused of [
      await ask(),
      await owner.call('POST', `/v1/owner/testing/requests/${waiting?.id}/confirm`),
    ]) {
      expect(outcomeOf(refused)).toBe('429 rate_limited')
      expect(refused.headers.get('ratelimit-policy')).toBe('"testing-requests-open";q=10;w=3600')
      expect(refused.headers.get('ratelimit')).toBe('"testing-requests-open";r=0;t=3600')
      expect(refused.headers.get('retry-after')).toBe('3600')
    }
  })

  test('is told that a request cannot be confirmed again, also with ten under way', async () => {
    const owner = await newOwner(stage)
    const made = await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    const id = String((made.body.request as { request_id: string }).request_id)
    for (let place = 1; place < 10; place++)
      await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    expect(outcomeOf(await owner.call('POST', `/v1/owner/testing/requests/${id}/confirm`))).toBe('409 invalid_state')
  })

  test('is mailed why a request was rejected', async () => {
    const owner = await newOwner(stage)
    const made = await owner.call('POST', '/v1/owner/testing/requests', { intake: anIntake })
    const id = String((made.body.request as { request_id: string }).request_id)
    await atDesk(stage, ({ testing }) => testing.reject(id, 'We do not test this kind.'))
    await stage.runDue()
    expect((await mailTo(stage, owner.email)).text).toContain('We do not test this kind.')
    expect((await owner.call('GET', `/v1/owner/testing/requests/${id}`)).body).toMatchObject({
      request: { status: 'rejected', note: 'We do not test this kind.' },
    })
  })
})
