import { SESSION_COOKIE } from '@guildhall/protocol'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, setBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS } from './support/browser-looks.ts'
import { giveWallet } from './support/browser-wallet.ts'
import { give, newWallet, newWorker } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { linkIn, mailTo, newEmail, newOwner, type OwnerPlayer } from './support/owners.ts'
import { inEscrow, newPerson, onAcceptance, type Person, postAs } from './support/people.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, claimAndDeliver } from './support/tasks.ts'

const stage = setStage()
const browser = setBrowser()
const postedTask = /\/console\/tasks\/task_/
const taskOf = async (id: string) => (await stage.client().tasks.get(id)).task
const idIn = (page: Page) => new URL(page.url()).pathname.replace('/console/tasks/', '')

/** A browser in which this person is signed in. */
async function at(person: Person, options: Parameters<typeof browser.open>[0] = {}): Promise<BrowserContext> {
  const context = await browser.open({ baseURL: stage.node().url, ...options })
  await signIn(context, person)
  return context
}

async function signIn(context: BrowserContext, { token }: OwnerPlayer): Promise<void> {
  const domain = new URL(stage.node().url).hostname
  const flags = { domain, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const
  await context.addCookies([{ name: SESSION_COOKIE, value: token, ...flags }])
}

async function fillIn(page: Page, title: string, usdc: string): Promise<void> {
  await page.goto('/console/tasks/new')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('What you need').fill('In French.')
  await page.getByLabel(/^Escrow/).check()
  await page.getByLabel('Bounty in USDC').fill(usdc)
  await page.getByRole('button', { name: 'Post the task' }).click()
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('somebody signs in by mail, posts a paid task from a wallet, and accepts: the agent has the money', async () => {
    const worker = await newWorker(stage)
    const [wallet, email] = [newWallet(), newEmail()]
    await give(stage, wallet.address, '20')
    const context = await browser.open({ baseURL: stage.node().url })
    const asked = await giveWallet(context, wallet)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))

    await page.goto('/console')
    await page.getByLabel('Mail address').fill(email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await mailTo(stage, email)))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Console' }).waitFor()
    expect(await page.locator('header').textContent()).toContain(email)

    await fillIn(page, 'Count to ten', '5')
    const terms = page.locator('.terms')
    await terms.getByText('5.00 USDC').waitFor()
    expect(await terms.textContent()).toMatch(/Base/)
    expect((await terms.textContent())?.toLowerCase()).toContain(
      stage.node().service.world.escrow?.address.toLowerCase(),
    )
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await page.waitForURL(postedTask)
    const id = idIn(page)
    expect(asked).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
      'eth_signTypedData_v4',
    ])
    expect(await taskOf(id)).toMatchObject({ title: 'Count to ten', claimable: true, escrow: { status: 'funded' } })
    expect(await usdcOf(stage.chain(), wallet.address)).toBe(15_000_000n)

    await claimAndDeliver(worker, id)
    await page.reload()
    expect(await page.locator('.delivery').textContent()).toContain(aDelivery.summary)
    await page.getByLabel('5', { exact: true }).first().check()
    await page.getByRole('button', { name: 'Accept and pay 5.00 USDC' }).click()
    await page.getByText('the agent has been paid').waitFor()
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await taskOf(id)).toMatchObject({ rating: 5, accepted_by: 'creator' })
    expect(problems.filter((text) => !text.includes('402'))).toEqual([])
    await context.close()
  })

  test('a bounty is paid on acceptance, straight to the agent, with the rating that was given', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, onAcceptance(3))
    await claimAndDeliver(worker, id)
    const context = await at(person)
    await giveWallet(context, person.wallet, { known: 'injected' })
    const page = await context.newPage()
    await page.goto(`/console/tasks/${id}`)
    const accept = page.getByRole('button', { name: 'Accept and pay 3.00 USDC' })
    await page.getByLabel('Comment on the rating').first().fill('Quick.')
    await accept.click()
    await page.getByRole('alert').getByText('Rating comment: A comment needs a rating.').waitFor()
    await page.getByLabel('4', { exact: true }).first().check()
    await accept.click()
    await page.locator('.terms').getByText(worker.wallet.address, { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Pay with Browser wallet' }).click()
    await page.getByText('the agent has been paid').waitFor()
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(3_000_000n)
    expect(await taskOf(id)).toMatchObject({
      rating: 4,
      rating_comment: 'Quick.',
      payment_status: 'settled',
    })
    await context.close()
  })

  test('whoever declines in the wallet, or on the page, pays nothing and is told so', async () => {
    const person = await newPerson(stage)
    const context = await at(person)
    const asked = await giveWallet(context, person.wallet, { declines: true })
    const page = await context.newPage()
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('button', { name: 'Do not pay' }).click()
    await page.getByRole('status').getByText('Nothing was paid.').waitFor()
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await page.getByRole('alert').getByText('You declined in the wallet. Nothing was paid.').waitFor()
    expect((await person.get('/v1/owner/tasks')).body.tasks).toEqual([])
    await context.close()
  })

  test('without a wallet, and for an amount that cannot be a bounty, the page says so', async () => {
    const context = await at(await newPerson(stage))
    const page = await context.newPage()
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('alert').getByText('No wallet was found in this browser.').waitFor()
    await fillIn(page, 'Count to ten', 'lots')
    await page.getByRole('alert').getByText('The bounty is an amount of USDC').waitFor()
    await fillIn(page, 'Count to ten', '0.01')
    await page.getByRole('alert').getByText('The bounty is below the minimum of 0.10 USDC.').waitFor()
    await fillIn(page, 'Count to ten', '999999999')
    await page.getByRole('alert').getByText('Bounty: A bounty').waitFor()
    await context.close()
  })

  test('whoever types a bounty has chosen to pay it, and is told of what is still missing', async () => {
    const context = await at(await newPerson(stage))
    const page = await context.newPage()
    await page.goto('/console/tasks/new')
    await page.getByLabel('Title').fill(' ')
    await page.getByLabel('What you need').fill('In French.')
    expect(await page.getByLabel(/^Free/).isChecked()).toBe(true)
    await page.getByLabel('Bounty in USDC').fill('5')
    expect(await page.getByLabel(/^Escrow/).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.getByRole('alert').getByText('A title is needed.').waitFor()
    await page.getByLabel('Title').fill('Count to ten')
    await page.getByLabel(/^Free/).check()
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.getByRole('alert').getByText('You typed a bounty, but chose a free task.').waitFor()
    expect(await page.getByLabel('Bounty in USDC').inputValue()).toBe('5')
    await context.close()
  })

  test('an answer that is lost is asked for again with the same payment, which counts once', async () => {
    const person = await newPerson(stage)
    const context = await at(person)
    await giveWallet(context, person.wallet)
    const page = await context.newPage()
    let lost = 0
    await page.route('**/v1/owner/tasks', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined || lost > 0) return route.continue()
      lost++
      await route.fetch()
      await route.abort('connectionreset')
    })
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await page.waitForURL(postedTask)
    expect(lost).toBe(1)
    expect((await person.get('/v1/owner/tasks')).body.tasks).toHaveLength(1)
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
    await context.close()
  })

  test('while an earlier attempt is still being carried out, the next click goes on with the same payment', async () => {
    const person = await newPerson(stage)
    const context = await at(person)
    const asked = await giveWallet(context, person.wallet)
    const page = await context.newPage()
    const keys: unknown[] = []
    await page.route('**/v1/owner/tasks', async (route) => {
      const headers = route.request().headers()
      if (headers['payment-signature'] === undefined) return route.continue()
      keys.push(headers['idempotency-key'])
      if (keys.length > 3) return route.continue()
      if (keys.length > 1)
        return route.fulfill({ status: 409, json: { error: 'idempotency_in_progress', message: 'Wait.' } })
      await route.fetch()
      await route.abort('connectionreset')
    })
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await page.getByRole('alert').getByText('Wait. Press the button again').waitFor()
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.waitForURL(postedTask)
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
    expect((await person.get('/v1/owner/tasks')).body.tasks).toHaveLength(1)
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
    await context.close()
  })

  test('a page that is loaded again goes on with the payment that had no answer', async () => {
    const person = await newPerson(stage)
    const context = await at(person)
    const asked = await giveWallet(context, person.wallet)
    const page = await context.newPage()
    await page.route('**/v1/owner/tasks', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await page.getByRole('alert').getByText('The service could not be reached').waitFor()
    await page.unroute('**/v1/owner/tasks')
    await page.reload()
    const goOn = page.getByRole('button', { name: 'Go on with the payment' })
    await goOn.click()
    await page.waitForURL(postedTask)
    expect(asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
    expect((await person.get('/v1/owner/tasks')).body.tasks).toHaveLength(1)
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
    await page.goto('/console/tasks/new')
    expect(await goOn.count()).toBe(0)
    await context.close()
  })

  test('whoever is signed out before the payment is sent is told what to do, and goes on with it after signing in', async () => {
    const person = await newPerson(stage)
    const context = await at(person)
    const asked = await giveWallet(context, person.wallet)
    const page = await context.newPage()
    const alert = page.getByRole('alert')
    await fillIn(page, 'Count to ten', '5')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).waitFor()
    await context.clearCookies()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await alert.getByText('You are not signed in any more.').waitFor()
    await signIn(context, await newOwner(stage, person.email))
    await page.getByRole('button', { name: 'Post the task' }).click()
    await alert.getByText('This page is older than your session.').waitFor()
    expect(await alert.textContent()).toContain('nothing is paid twice')
    await page.reload()
    await page.getByRole('button', { name: 'Go on with the payment' }).click()
    await page.waitForURL(postedTask)
    expect(asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
    await context.close()
  })

  test('a free task is posted and a delivery is reviewed without any script', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const context = await at(person, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/console')
    await page.getByRole('link', { name: 'Post a task' }).click()
    await page.getByLabel('Title').fill('Count to ten')
    await page.getByLabel('What you need').fill('In French.')
    await page.getByRole('button', { name: 'Post the task' }).click()
    await page.waitForURL(postedTask)
    const id = idIn(page)
    await claimAndDeliver(worker, id)
    await page.goto('/console')
    await page.locator('.waiting').getByRole('link', { name: 'Count to ten' }).click()
    await page.getByText('Ask for changes').first().click()
    await page.getByLabel('What has to change').fill('Slower, please.')
    await page.getByRole('button', { name: 'Ask for changes' }).click()
    await expect
      .poll(() => taskOf(id))
      .toMatchObject({ review_state: 'revision_requested', review_note: 'Slower, please.' })
    await worker.client.tasks.deliver(id, aDelivery)
    await page.reload()
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect.poll(() => taskOf(id)).toMatchObject({ status: 'verified' })
    await context.close()
  })

  test.each(LOOKS)('all pages are accessible ($width px, $scheme)', async ({ width, scheme }) => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const disputed = await postAs(stage, person, inEscrow())
    await claimAndDeliver(worker, disputed)
    await person.post(`/v1/owner/tasks/${disputed}/dispute`, { reason: 'No.', rating: 2, rating_comment: 'Hm.' })
    const declared = await postAs(stage, person, onAcceptance())
    await worker.client.tasks.claim(declared)
    await worker.client.tasks.deliver(declared, { ...aDelivery, artifact_urls: ['https://example.org/a'] })
    const context = await at(person, { viewport: { width, height: 800 }, colorScheme: scheme })
    await giveWallet(context, person.wallet)
    const page = await context.newPage()
    for (const path of ['', '/tasks/new', `/tasks/${disputed}`, `/tasks/${declared}`]) {
      await page.goto(`/console${path}`)
      for (const folded of await page.locator('details').all()) await folded.locator('summary').click()
      await expectAccessible(page)
    }
    await page.getByRole('button', { name: /^Accept and pay/ }).click()
    await page.locator('.terms h3').waitFor()
    await expectAccessible(page)
    await context.close()
  })
})
