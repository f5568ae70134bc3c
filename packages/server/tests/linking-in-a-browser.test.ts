import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './support/browser.ts'
import { expectAccessible, LOOKS, watchBrowser } from './support/browser-looks.ts'
import { newAgent, type Player } from './support/cast.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()
const browser = watchBrowser()
const REFUSED = /status of 400/
let people = 0

const isShown = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Opens the address that the agent was given and signs in there. */
async function signIn(page: Page, agent: Player, name = 'Ada Lovelace'): Promise<string> {
  const { link_id, link_url } = await agent.client.identity.start()
  await page.goto(link_url)
  await page.getByLabel('Email address').fill(`person${++people}@example.com`)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isShown(page, 'Do you stand behind this agent?')
  return link_id
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test.each(LOOKS)(
    'a person signs in, consents, and stands behind the agent, however long their name ($width, $scheme)',
    async (look) => {
      const agent = await newAgent(stage)
      const page = await browser.open(look)
      const linkId = await signIn(page, agent, 'Ada'.repeat(25))
      await page.getByText(agent.id).waitFor()
      await expectAccessible(page)
      await page.reload()
      await page.getByRole('button', { name: 'Yes, link this agent to me' }).click()
      await isShown(page, 'The agent is linked to you')
      await expectAccessible(page)
      expect((await agent.client.identity.status(linkId)).status).toBe('linked')
      const cookies = await page.context().cookies(stage.node().url)
      expect(cookies.filter(({ name }) => name.startsWith('__Host-'))).toEqual([])
    },
  )

  test('a person refuses with a word, on either page', async () => {
    const agent = await newAgent(stage)
    const page = await browser.open(LOOKS[0], REFUSED)
    const consenting = await signIn(page, agent)
    await page.getByRole('button', { name: 'No, refuse' }).click()
    await isShown(page, 'Nothing was linked')
    const { link_id: other, link_url } = await agent.client.identity.start()
    await page.goto(link_url)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await isShown(page, 'You were not signed in')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Refuse this link' }).click()
    for (const linkId of [consenting, other])
      await expect
        .poll(() => agent.client.identity.status(linkId))
        .toMatchObject({ status: 'failed', error: 'access_denied' })
  })

  test('another browser cannot go on, and a page elsewhere cannot send the form', async () => {
    const agent = await newAgent(stage)
    const page = await browser.open()
    const linkId = await signIn(page, agent)
    const thief = await browser.open(undefined, REFUSED)
    await thief.goto(page.url())
    await thief.getByText('being made in another browser').waitFor()
    await expectAccessible(thief)
    const { state, code } = Object.fromEntries(new URL(page.url()).searchParams)
    const evil = await page.context().newPage()
    const elsewhere = stage.parts.identity.issuer.replace('127.0.0.1', 'localhost')
    await evil.goto(`${elsewhere}/.well-known/openid-configuration`)
    await evil.evaluate(
      ([action, fields]) => {
        const form = document.createElement('form')
        form.method = 'post'
        form.action = action as string
        for (const [name, value] of Object.entries(fields as object)) {
          const input = document.createElement('input')
          input.name = name
          input.value = value
          form.append(input)
        }
        document.body.append(form)
        setTimeout(() => form.submit())
      },
      [`${stage.node().url}/v1/agentid/callback/confirm`, { state, code }],
    )
    await evil.getByText('The form was sent from another site').waitFor()
    expect((await agent.client.identity.status(linkId)).status).toBe('pending')
    await page.getByRole('button', { name: 'Yes, link this agent to me' }).click()
    await isShown(page, 'The agent is linked to you')
    expect((await agent.client.identity.status(linkId)).status).toBe('linked')
  })
})
