import { describe, expect, test, vi } from 'vitest'
import { hasBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS, watchBrowser } from './support/browser-looks.ts'
import { setStage } from './support/stage.ts'

/** Looking for hindrances takes seconds a page, and the reference is a long one. */
vi.setConfig({ testTimeout: 180_000 })

const stage = setStage()
const browser = watchBrowser()

describe.skipIf(!hasBrowser)('anybody with a browser', () => {
  test.each(LOOKS)('reads the first page and the reference of the API ($width px, $scheme)', async (look) => {
    const page = await browser.open(look)
    await page.goto(stage.node().url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
    await page.getByRole('navigation').getByRole('link', { name: 'API' }).click()
    expect(new URL(page.url()).pathname).toBe('/docs')
    await page.getByRole('heading', { name: '/v1/tasks/{id}/claim' }).waitFor()
    await expectAccessible(page)
  })

  test('is told that there is no such page, and where to go', async () => {
    const page = await browser.open(undefined, /status of 404/)
    const answer = await page.goto(`${stage.node().url}/no-such-page`)
    expect(answer?.status()).toBe(404)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'API' }).first().waitFor()
  })
})
