import { randomUUID } from 'node:crypto'
import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newWorker } from './support/cast.ts'
import { mailsTo, mailTo, openPage } from './support/owners.ts'
import { inEscrow, newPerson, onAcceptance, type Person, postAs } from './support/people.ts'
import { ALL_NETWORKS, setStage } from './support/stage.ts'
import { aDelivery, claimAndDeliver } from './support/tasks.ts'

const stage = setStage({ networks: ALL_NETWORKS })
const at = (id: string, verb = '') => `/console/tasks/${id}${verb === '' ? '' : `/${verb}`}`
const taskOf = async (id: string) => (await stage.client().tasks.get(id)).task
const formsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<form[^>]* action="\/console\/tasks\/[^/"]*\/([a-z]+)"/g)].map(([, verb]) => verb ?? '').sort()
const aForm = (more: Readonly<Record<string, string>> = {}) => ({
  form_id: randomUUID(),
  title: 'Count to ten',
  description: 'In French.\r\nSlowly.',
  expected_output: '',
  category: 'content',
  output_format: 'json',
  expires_in_days: '7',
  required_capabilities: 'counting, French',
  payment: 'free',
  bounty_usdc: '',
  network: 'eip155:8453',
  ...more,
})
const posted = async (person: Person, more?: Readonly<Record<string, string>>) =>
  (await person.submit('/console/tasks', aForm(more))).location?.replace('/console/tasks/', '') ?? ''

describe('the form for a new task', () => {
  test('posts a free task without any script, and leads to it', async () => {
    const person = await newPerson(stage)
    const shown = await person.open('/console/tasks/new')
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const id = await posted(person)
    expect(await taskOf(id)).toMatchObject({
      title: 'Count to ten',
      description: 'In French.\nSlowly.',
      category: 'content',
      required_capabilities: ['counting', 'French'],
      expected_output: null,
      expires_in_days: 7,
      bounty: null,
      creator_kind: 'owner',
    })
    expect((await person.open(at(id))).text).toContain('Any agent may claim it now.')
  })

  test('posts a bounty that is paid on acceptance', async () => {
    const person = await newPerson(stage)
    const id = await posted(person, { payment: 'accept', bounty_usdc: '2.5', expires_in_days: '30' })
    expect(await taskOf(id)).toMatchObject({ bounty_amount: '2500000', escrow: null, payment_status: 'pending' })
    const { text } = await person.open(at(id))
    expect(text).toContain('<dd>with you: you pay the agent when you accept</dd>')
    expect(text).toContain('It expires <span class="deadline">in 30 days</span>')
  })

  test('says in words that it has too many capabilities', async () => {
    const person = await newPerson(stage)
    const required_capabilities = Array.from({ length: 21 }, (_, at) => `capability ${at}`).join()
    const { status, text } = await person.submit('/console/tasks', aForm({ required_capabilities }))
    expect([status, text]).toEqual([400, expect.stringContaining('Required capabilities: At most 20 are taken.')])
  })

  test('sent twice posts once', async () => {
    const person = await newPerson(stage)
    const form = aForm()
    const answers = await Promise.all([1, 2, 3].map(() => person.submit('/console/tasks', form)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await person.get('/v1/owner/tasks')).body.tasks).toHaveLength(1)
  })

  test.each([
    [{ title: '' }, 400, 'A title is needed.'],
    [{ title: 'x'.repeat(201) }, 400, 'Title: Between 1 and 200 characters are needed.'],
    [{ expires_in_days: '1.5' }, 400, 'A task is open for a whole number of days.'],
    [{ expires_in_days: '91' }, 400, 'You can keep a task open for at most'],
    [{ bounty_usdc: '5' }, 400, 'You typed a bounty, but chose a free task.'],
    [{ payment: 'accept', bounty_usdc: 'much' }, 400, 'The bounty is an amount of USDC'],
    [{ payment: 'accept', bounty_usdc: '0.01' }, 400, 'The bounty is below the minimum of 0.10 USDC.'],
    [{ payment: 'accept', bounty_usdc: '5', network: 'eip155:5042' }, 400, 'Choose “Escrow”, or another network.'],
    [{ payment: 'escrow', bounty_usdc: '5' }, 402, 'needs JavaScript on this page. Nothing was posted.'],
  ])('says what is wrong and keeps what was typed: %o', async (wrong, status, words) => {
    const person = await newPerson(stage)
    const answer = await person.submit('/console/tasks', aForm({ description: 'Mine & yours', ...wrong }))
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
    expect(answer.text).toContain('Mine &amp; yours')
    expect((await person.get('/v1/owner/tasks')).body.tasks).toEqual([])
  })
})

describe('the page of a task', () => {
  test('has a form for everything that can be done now, and for nothing else', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, inEscrow())
    const forms = async () => formsIn((await person.open(at(id))).text)
    expect(await forms()).toEqual(['cancel'])
    await worker.client.tasks.claim(id)
    expect(await forms()).toEqual(['cancel'])
    await worker.client.tasks.deliver(id, aDelivery)
    expect(await forms()).toEqual(['accept', 'dispute', 'publish', 'revision'])
    expect((await person.submit(at(id, 'publish'), {})).location).toBe(at(id))
    await person.submit(at(id, 'dispute'), { reason: 'There is no seven.', rating: '2', rating_comment: 'Hm.' })
    expect(await taskOf(id)).toMatchObject({ review_state: 'disputed', rating: 2, submission_public: true })
    expect(await forms()).toEqual(['accept', 'cancel', 'revision', 'unpublish'])
    await person.submit(at(id, 'unpublish'), {})
    await person.submit(at(id, 'revision'), { note: 'Add the seven.' })
    await worker.client.tasks.deliver(id, aDelivery)
    await person.submit(at(id, 'accept'), { rating: '5', rating_comment: '', note: 'Thanks.' })
    expect(await taskOf(id)).toMatchObject({ status: 'verified', rating: 5, review_note: 'Thanks.' })
    expect(await forms()).toEqual(['publish'])
    const { text } = await person.open(at(id))
    expect(text).toContain(`<code>${(await taskOf(id)).escrow?.release_tx_hash}</code>`)
    expect(text).not.toContain('basescan.org')
    expect(text).toContain('Earlier deliveries (1)')
  })

  test('says why something could not be done, and still shows the task', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, onAcceptance())
    await claimAndDeliver(worker, id)
    const cancelled = await person.submit(at(id, 'cancel'), {})
    expect([cancelled.status, cancelled.text.includes('role="alert"')]).toEqual([409, true])
    const unpaid = await person.submit(at(id, 'accept'), {})
    expect([unpaid.status, unpaid.text.includes('needs JavaScript')]).toEqual([402, true])
    const early = await person.submit(at(await posted(person), 'dispute'), { reason: 'Too slow.' })
    expect([early.status, early.text.includes('This cannot be done now. The page')]).toEqual([409, true])
    const noNote = await person.submit(at(id, 'revision'), { note: ' ' })
    expect([noNote.status, noNote.text.includes('A note is needed.')]).toEqual([400, true])
    expect(await taskOf(id)).toMatchObject({ status: 'submitted', review_state: null })
  })

  test('shows a form that is refused with what was typed, and no other', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    await claimAndDeliver(worker, id)
    const typed = { reason: 'There is no <seven>.', rating: '', rating_comment: 'A pity.' }
    const { status, text } = await person.submit(at(id, 'dispute'), typed)
    expect([status, text.includes('Rating comment: A comment needs a rating.')]).toEqual([400, true])
    const [accepting = '', disputing = ''] = ['accept', 'dispute'].map(
      (verb) => text.split('<form').find((part) => part.includes(`action="${at(id, verb)}"`)) ?? '',
    )
    expect(disputing).toContain('There is no &lt;seven&gt;.')
    expect(disputing).toContain('value="A pity."')
    expect(accepting).not.toContain('A pity.')
    expect(text.match(/<details[^>]* open>/g)).toHaveLength(1)
    const rated = await person.submit(at(id, 'accept'), { rating: '4', note: 'x'.repeat(2001) })
    expect(rated.text).toContain('value="4" checked')
  })

  test('shows what others wrote as text', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const nasty = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    const id = await postAs(stage, person, { title: nasty, description: nasty, expected_output: nasty })
    await worker.client.tasks.claim(id)
    const artifact_urls = ['https://exämple.org/a?b="><script>', 'https://example.org/c']
    await worker.client.tasks.deliver(id, {
      summary: nasty,
      submission_type: 'json',
      submission_content: nasty,
      artifact_urls,
    })
    await person.submit(at(id, 'revision'), { note: nasty })
    for (const path of [at(id), '/console']) {
      const { text, headers } = await person.open(path)
      expect(text).not.toMatch(/<script>|<img/)
      expect(text).toContain('&lt;script&gt;')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
    }
    const { text } = await person.open(at(id))
    expect(text).toMatch(/<a [^>]*href="https:\/\/xn--exmple-cua\.org\/[^>]*rel="noopener noreferrer nofollow/)
  })

  test('is there for its poster alone', async () => {
    const [person, other] = [await newPerson(stage), await newPerson(stage)]
    const id = await postAs(stage, person)
    expect((await other.open(at(id))).status).toBe(404)
    expect((await other.submit(at(id, 'cancel'), {})).status).toBe(404)
    const stranger = await openPage(stage, at(id))
    expect([stranger.status, stranger.location]).toEqual([303, `/console/sign-in?next=${encodeURIComponent(at(id))}`])
    expect((await person.submit(at(id, 'cancel'), {})).status).toBe(303)
    expect(await taskOf(id)).toMatchObject({ status: 'cancelled' })
  })
})

test('the overview shows first what waits for the person, and the tasks page by page', async () => {
  const [person, worker] = [await newPerson(stage), await newWorker(stage)]
  expect((await person.open('/console')).text).toContain('You have not posted anything yet.')
  const first = await postAs(stage, person, { title: 'The very first' })
  for (let count = 0; count < 20; count++) await postAs(stage, person, { title: `Number ${count}` })
  await claimAndDeliver(worker, first)
  const { text } = await person.open('/console')
  expect(text.indexOf('The very first')).toBeGreaterThan(text.indexOf('Waiting for you'))
  expect(text.indexOf('The very first')).toBeLessThan(text.indexOf('Your tasks'))
  expect(text).toMatch(/Accepted automatically in [67] days/)
  const older = /href="(\/console\?before=[^"]*)"/.exec(text)?.[1] ?? ''
  const next = await person.open(older)
  expect(next.text).toContain('The very first')
  expect(next.text).not.toContain('Number ')
})

describe('a person is mailed', () => {
  const told = async (person: Person, count: number) => (await mailTo(stage, person.email, count)).subject

  test('of a delivery and of what the clock has done, with a link to the console and nothing that was delivered', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    await worker.client.tasks.claim(id)
    await stage.travel(7 * DAY)
    expect(await told(person, 1)).toBe('Guildhall: Your task is open again')
    await worker.client.tasks.claim(id)
    await worker.client.tasks.deliver(id, { ...aDelivery, summary: 'a private summary' })
    const { subject, text } = await mailTo(stage, person.email, 2)
    expect(subject).toBe('Guildhall: A delivery waits for your review')
    expect(text).toContain(`/console/tasks/${id}`)
    expect(text).not.toContain('private')
    await stage.travel(5 * DAY - 60_000)
    expect(await told(person, 2)).toBe('Guildhall: A delivery waits for your review')
    await stage.travel(120_000)
    expect(await told(person, 3)).toBe('Guildhall: Your time to review is nearly over')
    await stage.travel(2 * DAY)
    expect(await told(person, 4)).toBe('Guildhall: Your task was accepted automatically')
    expect(await mailsTo(stage, person.email)).toHaveLength(4)
  })

  test('when a deposit has come back', async () => {
    const person = await newPerson(stage)
    const id = await postAs(stage, person, { ...inEscrow(), expires_in_days: 1 })
    await stage.travel(DAY)
    expect(await taskOf(id)).toMatchObject({ status: 'expired', payment_status: 'refunded' })
    await mailTo(stage, person.email, 2)
  })
})
