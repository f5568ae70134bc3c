import { describe, expect, test } from 'vitest'
import { hasBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS, watchBrowser } from './support/browser-looks.ts'
import { newWorker } from './support/cast.ts'
import { atDesk } from './support/desk.ts'
import { linkIn, mailTo, newEmail } from './support/owners.ts'
import { setStage } from './support/stage.ts'
import { approvedTasks, deliverResult } from './support/testing-requests.ts'
import { until } from './support/until.ts'

const stage = setStage()
const browser = watchBrowser()

async function finish(requestId: string): Promise<void> {
  for (const taskId of await approvedTasks(stage, requestId)) {
    const worker = await newWorker(stage)
    await atDesk(stage, ({ testing }) => testing.allow(worker.id))
    await worker.client.tasks.claim(taskId)
    await deliverResult(worker, taskId)
    await atDesk(stage, ({ testing }) => testing.decide(taskId, 'accept', null))
  }
  const { store } = stage.node().service.world
  await until(
    () => store.testingRequest(requestId),
    (request) => request?.status === 'reported',
  )
}

describe.skipIf(!hasBrowser)('an owner with a browser', () => {
  test.each(LOOKS)('asks for a test, follows it and reads the report ($width px, $scheme)', async (look) => {
    const page = await browser.open(look)
    const email = newEmail()
    const { url } = stage.node()
    await page.goto(`${url}/console/testing`)
    await page.getByLabel('Mail address').fill(email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await mailTo(stage, email)))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Tests by agents' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Ask for a test' }).click()
    await page.getByRole('heading', { name: 'Ask for a test' }).waitFor()
    await expectAccessible(page)
    const boxes = await page.getByRole('checkbox').evaluateAll((all) => all.map((box) => box.clientWidth))
    expect(new Set(boxes), 'a box beside a long text is as large as the others').toHaveLength(1)
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
    await fill('Product', 'Acme Weather')
    await fill('Where it is', 'https://weather.example/')
    await fill('What the agents should try to do', 'Ask for tomorrow’s weather in Zürich.')
    await fill('What should come out', 'A temperature.')
    await fill('Where it is tried', 'The public API.')
    await page.getByLabel('Read only').check()
    await page.getByLabel('I may have this product tested.').check()
    await page.getByLabel('The agents that do the runs read all of this').check()
    await page.getByRole('button', { name: 'Ask for the test' }).click()
    await page.getByRole('heading', { name: 'Acme Weather' }).waitFor()
    await expectAccessible(page)

    await finish(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    await page.reload()
    await page.getByRole('heading', { name: 'Product success' }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'The report, for printing' }).click()
    await page.getByRole('heading', { name: 'Test report: Acme Weather' }).waitFor()
    await expectAccessible(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
  })
})
