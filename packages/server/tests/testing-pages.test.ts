import { beforeAll, expect, test } from 'vitest'
import { newWorker } from './support/cast.ts'
import { atDesk } from './support/desk.ts'
import { newOwner, type OwnerPlayer, openPage, sendForm } from './support/owners.ts'
import { setStage } from './support/stage.ts'
import { anIntake } from './support/test-results.ts'
import { approvedTasks, deliverResult } from './support/testing-requests.ts'
import { until } from './support/until.ts'

const stage = setStage()
let owner: OwnerPlayer
let other: OwnerPlayer
beforeAll(async () => {
  owner = await newOwner(stage)
  other = await newOwner(stage)
})

const form = {
  product_name: anIntake.product_name,
  product_category: 'api',
  product_url: anIntake.product_url,
  documentation_url: '',
  workflow_objective: anIntake.workflow_objective,
  expected_result: anIntake.expected_result,
  target_environment: anIntake.target_environment,
  auth_mode: 'none',
  sandbox_write_steps: 'Create one posting.\r\n\r\nRead it.',
  authority_declaration: 'yes',
  worker_disclosure_acknowledged: 'yes',
}

const idIn = (location: string | null): string => location?.replace('/console/testing/', '') ?? ''

test('an owner asks for a test on a page, and a form that is not right comes back with what was typed', async () => {
  const empty = await owner.open('/console/testing')
  expect(empty.status).toBe(200)
  expect(empty.headers.get('cache-control')).toContain('no-store')
  expect(empty.text).toContain('You have not asked for a test yet.')
  const bad = await owner.submit('/console/testing', { ...form, product_url: 'nowhere' })
  expect(bad.status).toBe(400)
  expect(bad.text).toContain('Product url: A complete http or https address is needed.')
  expect(bad.text).toContain('value="Zanzibar Ledger API"')
  const secret = await owner.submit('/console/testing', { ...form, known_constraints: `ghp_${'a1B2c3D4e5'.repeat(4)}` })
  expect(secret.status).toBe(422)
  expect(secret.text).toContain('known constraints: This looks like a secret')
  const sent = await owner.submit('/console/testing', form)
  expect(sent.status).toBe(303)
  const page = await owner.open(sent.location ?? '')
  expect(page.text).toContain('An operator will look at it.')
  expect(page.text).toContain('Read it.')
  expect((await owner.open('/console/testing')).text).toContain(sent.location)
  expect((await owner.open('/console')).text).toContain('/console/testing')
})

const formIdIn = ({ text }: { readonly text: string }): string => /name="form_id" value="([^"]+)"/.exec(text)?.[1] ?? ''

test('a form that is sent twice, as by a double click, asks for one test', async () => {
  const hasty = await newOwner(stage)
  const form_id = formIdIn(await hasty.open('/console/testing/new'))
  const sent = await Promise.all([1, 2].map(() => hasty.submit('/console/testing', { ...form, form_id })))
  expect(sent.map(({ status }) => status)).toEqual([303, 303])
  expect(sent.map(({ location }) => location)).toContain('/console/testing')
  expect((await hasty.open('/console/testing')).text.match(/href="\/console\/testing\/treq_/g)).toHaveLength(1)
  const another = await hasty.submit('/console/testing', {
    ...form,
    form_id: formIdIn(await hasty.open('/console/testing/new')),
  })
  expect(another.location).toMatch(/^\/console\/testing\/treq_/)
})

test('nobody else sees it, and nothing is done without the session’s token', async () => {
  const { location } = await owner.submit('/console/testing', form)
  expect((await other.open(location ?? '')).status).toBe(404)
  expect((await openPage(stage, location ?? '')).location).toMatch(/^\/console\/sign-in/)
  const cookie = { Cookie: owner.headers.Cookie ?? '' }
  expect((await sendForm(stage, '/console/testing', form, cookie)).status).toBe(403)
  expect((await other.submit(`${location}/retest`, {})).status).toBe(404)
  const early = await owner.submit(`${location}/retest`, {})
  expect(early.status).toBe(409)
  expect(early.text).toContain('A test is done again once it has a report.')
  expect((await owner.open(`${location}/report`)).status).toBe(404)
})

test('the report is shown and printed, and the same test can be asked for again', async () => {
  const { location } = await owner.submit('/console/testing', form)
  const id = idIn(location)
  for (const taskId of await approvedTasks(stage, id)) {
    const worker = await newWorker(stage)
    await atDesk(stage, ({ testing }) => testing.allow(worker.id))
    await worker.client.tasks.claim(taskId)
    await deliverResult(worker, taskId, { output: '<script>alert("zanzibar")</script>' })
    await atDesk(stage, ({ testing }) => testing.decide(taskId, 'accept', null))
  }
  const page = await until(
    () => owner.open(location ?? ''),
    ({ text }) => text.includes('The report is ready.'),
  )
  expect(page.text).toContain('First posting fails')
  const printed = await owner.open(`${location}/report`)
  expect(printed.status).toBe(200)
  expect(printed.text).toContain('Test report: <span dir="auto">Zanzibar Ledger API</span>')
  expect(printed.text).toContain('&lt;script&gt;')
  expect(printed.text).not.toContain('<script>')
  expect((await other.open(`${location}/report`)).status).toBe(404)
  const retest = { form_id: formIdIn(page) }
  const again = await owner.submit(`${location}/retest`, retest)
  expect(again.status).toBe(303)
  expect((await owner.open(again.location ?? '')).text).toContain('A repetition of')
  expect((await owner.submit(`${location}/retest`, retest)).location).toBe('/console/testing')
})
