import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const PATIENCE_MS = 60_000
const executablePath = process.env.CHROMIUM || PLACES.find((path) => existsSync(path))

/** Whether this machine has a browser; stories that need one are skipped without. */
export const hasBrowser = executablePath !== undefined
if (!hasBrowser)
  console.warn(
    'Tests in a browser are skipped: there is no Chromium here. Install one, or name it with CHROMIUM=/path.',
  )

type Options = Parameters<Browser['newContext']>[0]

/** A browser for the stories of one file. */
export function setBrowser() {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: FLAGS })
  })
  afterAll(() => browser?.close())
  return {
    /** A browser of somebody's own, without a past. */
    async open(options?: Options): Promise<BrowserContext> {
      if (browser === undefined) throw new Error('There is no browser on this machine.')
      const context = await browser.newContext(options)
      context.setDefaultTimeout(PATIENCE_MS)
      return context
    },
  }
}
