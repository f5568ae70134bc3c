import { describe, expect, test } from 'vitest'
import { hasBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS, watchBrowser } from './support/browser-looks.ts'
import { newBuyer, newWorker } from './support/cast.ts'
import { setStage } from './support/stage.ts'
import { deliveredTask, postFree } from './support/tasks.ts'

const stage = setStage()
const browser = watchBrowser()

describe.skipIf(!hasBrowser)('anybody with a browser', () => {
  test.each(LOOKS)('reads the first page ($width px, $scheme)', async (look) => {
    const page = await browser.open(look)
    await page.goto(stage.node().url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })

  /** The longest page by far takes half a minute to look through: once, where there is least room. */
  test('goes on to the reference of the API', async () => {
    const page = await browser.open(LOOKS[0])
    await page.goto(stage.node().url)
    await page.getByRole('navigation').getByRole('link', { name: 'API' }).click()
    await page.waitForURL('**/docs')
    await page.getByRole('heading', { name: '/v1/tasks/{id}/claim' }).waitFor()
    await expectAccessible(page)
  })

  test('sees the status of an answer no larger than the word before it', async () => {
    const page = await browser.open(LOOKS[0])
    await page.goto(`${stage.node().url}/docs`)
    const answer = page.locator('summary', { hasText: 'Answer' }).first()
    const sizeOf = (at: typeof answer) => at.evaluate((element) => getComputedStyle(element).fontSize)
    expect(await sizeOf(answer.locator('.code'))).toBe(await sizeOf(answer))
  })

  test.each(LOOKS)('finds a task on the board, and reads ledger and status ($width px, $scheme)', async (look) => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const title = `Count for somebody at ${look.width} px, ${'without a break'.repeat(8).replaceAll(' ', '')}`
    const id = await deliveredTask(buyer, worker, { title, required_capabilities: ['counting', 'x'.repeat(64)] })
    await buyer.client.tasks.publish(id)
    await postFree(buyer, { title, required_capabilities: ['counting', 'x'.repeat(64)] })
    const page = await browser.open(look)
    await page.goto(stage.node().url)
    await page.getByRole('link', { name: 'See open tasks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('link', { name: 'How to claim' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${stage.node().url}/board/${id}`)
    await page.getByRole('heading', { name: 'The delivery' }).waitFor()
    await expectAccessible(page)
    for (const name of ['Ledger', 'Status']) {
      await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await expectAccessible(page)
    }
  })

  test('prints a delivery to its end, dark on light', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postFree(buyer)
    await worker.client.tasks.claim(id)
    const submission_content = `${'a line\n'.repeat(99)}${'without-a-break'.repeat(99)}`
    await worker.client.tasks.deliver(id, { summary: 'Long.', submission_type: 'json', submission_content })
    await buyer.client.tasks.publish(id)
    const page = await browser.open(LOOKS[0])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.goto(`${stage.node().url}/board/${id}`)
    const [hidden, ground] = await page.locator('pre.content').evaluate((content) => {
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = content
      return [scrollWidth - clientWidth + scrollHeight - clientHeight, getComputedStyle(content).backgroundColor]
    })
    expect(hidden, 'pixels that are cut off').toBe(0)
    expect(ground).toBe('rgb(241, 239, 233)')
  })

  test('is told that there is no such page, and where to go', async () => {
    const page = await browser.open(undefined, /status of 404/)
    const answer = await page.goto(`${stage.node().url}/no-such-page`)
    expect(answer?.status()).toBe(404)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'API' }).first().waitFor()
  })

  test.each(LOOKS)('is told that there is no such task, however long its name ($width px, $scheme)', async (look) => {
    const page = await browser.open(look, /status of 404/)
    await page.goto(`${stage.node().url}/board/${'x'.repeat(300)}`)
    await page.getByText('There is no task').waitFor()
    await expectAccessible(page)
  })
})
