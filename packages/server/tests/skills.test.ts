import { DAY, HOUR } from '@guildhall/protocol'
import type { Guildhall } from '@guildhall/sdk'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { refusalOf } from './support/refusals.ts'
import { startRegistryStandIn } from './support/registry-stand-in.ts'
import { setStage } from './support/stage.ts'

const registries = await startRegistryStandIn()
const { url, replies, asked } = registries
const places = { npm: url, npm_downloads: `${url}/`, pypi: url, pypi_downloads: url, clawhub: url }
const stage = setStage({ settings: { GUILDHALL_SKILL_REGISTRIES: JSON.stringify(places) } })

afterAll(() => registries.stop())
beforeEach(() => {
  asked.length = 0
  replies.clear()
})

const trust: Guildhall['skills']['trust'] = (registry, name) => stage.client().skills.trust(registry, name)

function npm(name: string, downloads: number | null, more: object = {}): void {
  replies.set(`/${name.replace('/', '%2F')}/latest`, {
    body: { name, version: '1.3.0', description: 'Pads\u0000 to the\nleft.', ...more },
  })
  if (downloads !== null) replies.set(`/downloads/point/last-month/${name}`, { body: { downloads, package: name } })
}

test('a skill of npm is trusted by its downloads of the last month', async () => {
  npm('left-pad', 999)
  const now = stage.now()
  const skill = await trust('npm', 'left-pad')
  expect(skill).toMatchObject({
    name: 'left-pad',
    registry: 'npm',
    version: '1.3.0',
    private: false,
    verified: true,
    description: 'Pads to the left.',
    downloads_last_month: 999,
    adoption_score: 0.5,
    trust_score: 0.5,
  })
  expect(Date.parse(skill.last_checked_at)).toBeGreaterThanOrEqual(now)
})

test('a scoped name is percent-encoded, there and here', async () => {
  npm('@scope/name', 99)
  const { name, downloads_last_month } = await trust('npm', '@scope/name')
  expect([name, downloads_last_month]).toEqual(['@scope/name', 99])
  expect(asked).toContain('/@scope%2Fname/latest')
})

test('PyPI and ClawHub are asked in their own way, and what they warn of counts', async () => {
  replies.set('/pypi/flask-login/json', { body: { info: { version: '0.6', summary: 'Sessions.', yanked: true } } })
  replies.set('/api/packages/flask-login/recent', { body: { data: { last_day: 1, last_month: 999 } } })
  expect(await trust('pypi', 'Flask_Login')).toMatchObject({
    name: 'flask-login',
    version: '0.6',
    downloads_last_month: 999,
    adoption_score: 0.5,
    trust_score: 0.125,
  })
  replies.set('/api/v1/skills/gifgrep', {
    body: {
      skill: { slug: 'gifgrep', summary: 'Finds GIFs.', stats: { downloads: 999 } },
      latestVersion: { version: '1.2.3' },
      moderation: { isSuspicious: true, isMalwareBlocked: false },
    },
  })
  expect(await trust('clawhub', 'gifgrep')).toMatchObject({
    version: '1.2.3',
    description: 'Finds GIFs.',
    adoption_score: 0.5,
    trust_score: 0,
  })
})

test('a registry is asked once a day, by the service’s clock', async () => {
  npm('once', 9)
  await trust('npm', 'once')
  npm('once', 99)
  await stage.travel(DAY - HOUR)
  expect((await trust('npm', 'once')).downloads_last_month).toBe(9)
  expect(asked).toHaveLength(2)
  await stage.travel(HOUR)
  expect((await trust('npm', 'once')).downloads_last_month).toBe(99)
})

test('while a registry is down the last known value is given, else 503', async () => {
  npm('known', 9)
  const { last_checked_at } = await trust('npm', 'known')
  await stage.travel(2 * DAY)
  for (const status of [500, 429, 301]) {
    const headers = { Location: `${url}/known/latest?elsewhere` }
    for (const name of ['known', 'unknown'])
      for (const path of [`/${name}/latest`, `/downloads/point/last-month/${name}`])
        replies.set(path, { status, headers, body: {} })
    expect(await trust('npm', 'known')).toMatchObject({ downloads_last_month: 9, last_checked_at })
    const { status: answered, fields } = await refusalOf(trust('npm', 'unknown'), 'skill_registry_unavailable')
    expect([answered, fields]).toEqual([503, { registry: 'npm' }])
  }
  expect(asked.filter((path) => path.includes('elsewhere'))).toEqual([])
})

test('an answer that is not what it should be counts as none', async () => {
  for (const body of ['<html>', '[]', '"x"', '{"downloads":1']) {
    npm('strange', 9)
    replies.set('/strange/latest', { body })
    await refusalOf(trust('npm', 'strange'), 'skill_registry_unavailable')
  }
  npm('odd', null, { version: 7, description: null })
  replies.set('/downloads/point/last-month/odd', { body: { downloads: -5 } })
  expect(await trust('npm', 'odd')).toMatchObject({
    version: null,
    description: null,
    downloads_last_month: null,
    trust_score: 0,
  })
})

test('a package that the registry does not know is 404, and looked for again after an hour', async () => {
  expect((await refusalOf(trust('npm', 'not-yet'), 'not_found')).fields).toEqual({ resource: 'skill' })
  npm('not-yet', 9)
  await refusalOf(trust('npm', 'not-yet'), 'not_found')
  await stage.travel(HOUR)
  expect((await trust('npm', 'not-yet')).verified).toBe(true)
})

test('an unknown registry, or a name that no package can have, is 400 and asks nobody', async () => {
  for (const path of [
    '/v1/skills/cargo/serde',
    '/v1/skills/npm/a%2Fb',
    '/v1/skills/npm/..%2F..%2Fx',
    '/v1/skills/npm/a%3Fb',
  ])
    expect((await fetch(`${stage.node().url}${path}`)).status).toBe(400)
  expect(asked).toEqual([])
})

test('calls for the same skill at the same time share one look', async () => {
  npm('popular', 9)
  await Promise.all(Array.from({ length: 10 }, () => trust('npm', 'popular')))
  expect(asked.length).toBeLessThan(20)
})
