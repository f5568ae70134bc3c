import { SESSION_COOKIE } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS, watchBrowser } from './support/browser-looks.ts'
import { mailTo, newEmail, newOwner } from './support/owners.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()
const browser = watchBrowser()

describe.skipIf(!hasBrowser)('a person with a browser', () => {
  test.each(LOOKS)('signs in through the mail page, looks around and signs out ($width px, $scheme)', async (look) => {
    const page = await browser.open(look)
    const email = `${look.scheme}${'without-a-break'.replaceAll('-', '').repeat(4)}@example.org`
    await page.goto(`${stage.node().url}/console`)
    expect(new URL(page.url()).pathname).toBe('/console/sign-in')
    await expectAccessible(page)
    await page.getByLabel('Mail address').fill(email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await expectAccessible(page)

    await mailTo(stage, email)
    await page.getByRole('link', { name: 'its mail page' }).click()
    const mail = page.getByRole('article').filter({ hasText: email })
    await mail.waitFor()
    await expectAccessible(page)
    await mail.getByRole('link', { name: '/console/confirm' }).click()
    await page.getByRole('heading', { name: `Sign in as ${email}?` }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/console/)
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: SESSION_COOKIE, httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })

    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('button', { name: 'Show a code' }).click()
    await page.getByText('npm run guildhall -- agent link').waitFor()
    await expectAccessible(page)
    await page.goto(`${stage.node().url}/console/account`)
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })

  test.each(LOOKS)('is told that a form came too late to be taken ($width px, $scheme)', async (look) => {
    const { token } = await newOwner(stage)
    const page = await browser.open(look)
    const { url } = stage.node()
    await page
      .context()
      .addCookies([{ name: SESSION_COOKIE, value: token, domain: new URL(url).hostname, path: '/', secure: true }])
    await page.goto(`${url}/console/tasks/new`)
    await page.getByLabel('Title').fill('Count to ten')
    await page.getByLabel('What you need').fill('In French.')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.getByRole('status').getByText('what you sent was not taken').waitFor()
    await expectAccessible(page)
  })

  test('is told what is wrong with an address, and that a link does not work', async () => {
    const page = await browser.open(undefined, /status of 400/)
    await page.goto(`${stage.node().url}/console/sign-in`)
    await page.getByLabel('Mail address').fill('ada@localhost')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await page.goto(`${stage.node().url}/console/confirm?token=x`)
    await page.getByRole('link', { name: 'Ask for a new link' }).waitFor()
    await expectAccessible(page)
  })

  test('is signed in at localhost as well, where somebody opens the service by that name', async () => {
    const page = await browser.open()
    const url = stage.node().url.replace('127.0.0.1', 'localhost')
    const email = newEmail()
    await page.goto(`${url}/console/sign-in`)
    await page.getByLabel('Mail address').fill(email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    const { text } = await mailTo(stage, email)
    const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
    await page.goto(link.replace('127.0.0.1', 'localhost'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  test.each(LOOKS)('reads the first page ($width px, $scheme)', async (look) => {
    const page = await browser.open(look)
    await page.goto(stage.node().url)
    await expectAccessible(page)
  })
})
