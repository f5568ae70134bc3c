import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { setBrowser } from './browser.ts'

/** Telephone and desk, light and dark: each once, because no rule of the style asks for both. */
export const LOOKS = [
  { width: 360, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
] as const
const [, AT_A_DESK] = LOOKS
type Look = (typeof LOOKS)[number]

export type WatchedBrowser = {
  /** A page of a fresh browser profile. Whatever it complains about fails the test, unless `expected` matches it. */
  open(look?: Look, expected?: RegExp): Promise<Page>
}

/** A browser whose pages may not complain: neither of scripts nor of what their policy forbids. */
export function watchBrowser(): WatchedBrowser {
  const browser = setBrowser()
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  return {
    async open({ width, scheme } = AT_A_DESK, expected) {
      const context = await browser.open({ viewport: { width, height: 800 }, colorScheme: scheme })
      contexts.push(context)
      const page = await context.newPage()
      const complain = (text: string) => {
        if (!expected?.test(text)) complaints.push(text)
      }
      page.on('pageerror', (error) => complain(`error: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complain(`${message.type()}: ${message.text()}`)
      })
      return page
    },
  }
}

/** Nothing that hinders people who see, hear or move differently, and nothing that is wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(wide, 'the page can be moved sideways').toBeLessThanOrEqual(window ?? 0)
}
