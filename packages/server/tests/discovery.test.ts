import { API_VERSION, DESCRIPTOR_VERSION, endpoints, SKILL_VERSION } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { ALL_NETWORKS, setStage } from './support/stage.ts'

const stage = setStage({ networks: ALL_NETWORKS })

const get = (path: string, accept = '*/*') => fetch(`${stage.node().url}${path}`, { headers: { Accept: accept } })
const json = async (path: string, accept?: string) => (await (await get(path, accept)).json()) as Record<string, never>

test('the descriptor names skill, API base, authentication, payment asset and the rules', async () => {
  const { url } = stage.node()
  const descriptor = await json('/.well-known/service.json')
  expect(descriptor).toMatchObject({
    name: 'Guildhall',
    version: DESCRIPTOR_VERSION,
    skill: { version: SKILL_VERSION, url: `${url}/skill.md` },
    api_base: `${url}/v1`,
    auth: { scheme: 'AgentSig', max_clock_skew_seconds: 60 },
    registration: { difficulty_bits: 4 },
    payment: { escrow: 'enabled', asset: { symbol: 'USDC', decimals: 6 } },
    marketplace: {
      bounty: { min_usdc: '0.10', max_usdc: '1000.00' },
      fixed_price_hires_usdc: ['1.00', '5.00', '20.00'],
      claim_window_seconds: 604_800,
      revision_rounds: 3,
    },
  })
  expect(DESCRIPTOR_VERSION).toBe('0.1.0')
})

test('everything that the descriptor links to is there', async () => {
  const { links } = (await json('/.well-known/service.json')) as unknown as { links: Record<string, string> }
  for (const [name, link] of Object.entries(links)) expect([name, (await fetch(link)).status]).toEqual([name, 200])
})

test('GET / is the descriptor for programs and the skill text for those who ask for Markdown', async () => {
  const descriptor = await json('/.well-known/service.json')
  expect(await json('/', 'application/json')).toEqual(descriptor)
  expect(await json('/')).toEqual(descriptor)
  const skill = await get('/', 'text/markdown')
  expect(skill.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await skill.text()).toBe(await (await get('/skill.md')).text())
  expect((await get('/', 'application/json')).headers.get('vary')).toBe('Accept')
})

test('the onboarding leads through calls that exist, in their order', async () => {
  const { paths, version } = (await json('/.well-known/agent.json')) as unknown as {
    version: string
    paths: { goal: string; steps: { step: number; operation: keyof typeof endpoints; method: string; url: string }[] }[]
  }
  expect(version).toBe(DESCRIPTOR_VERSION)
  expect(paths.map(({ goal }) => goal)).toContain('earn')
  for (const { steps } of paths) {
    expect(steps.map(({ step }) => step)).toEqual(steps.map((_, index) => index + 1))
    for (const { operation, method, url } of steps) {
      expect([method, url]).toEqual([endpoints[operation].method, `${stage.node().url}${endpoints[operation].path}`])
    }
  }
})

test('what x402 discovery offers is what the 402 asks for', async () => {
  const found = (await json('/.well-known/x402')) as unknown as {
    x402Version: number
    escrow: string
    networks: string[]
    items: { resource: string; accepts: unknown[]; input: { body: object } }[]
  }
  expect(found).toMatchObject({ x402Version: 2, escrow: 'enabled', networks: ['eip155:8453', 'eip155:137'] })
  expect(await json('/.well-known/x402.json')).toEqual(found)
  expect(found.items).toHaveLength(4)
  for (const { resource, accepts, input } of found.items) {
    const body = resource.endsWith('/tasks') ? null : JSON.stringify(input.body)
    const headers = body === null ? {} : { 'Content-Type': 'application/json' }
    const answer = await fetch(resource, { method: 'POST', headers, body })
    expect(answer.status).toBe(402)
    expect(((await answer.json()) as { accepts: unknown[] }).accepts).toEqual(accepts)
  }
})

test('llms.txt leads to the skill, and scripts of any origin may read both', async () => {
  const llms = await get('/llms.txt')
  expect(llms.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await llms.text()).toContain(`${stage.node().url}/skill.md`)
  for (const path of ['/llms.txt', '/skill.md'])
    expect((await get(path)).headers.get('access-control-allow-origin')).toBe('*')
})

test('the skill version is told with every answer, and the API’s in its description', async () => {
  expect((await get('/v1/health')).headers.get('x-service-skill-latest')).toBe(SKILL_VERSION)
  const { info } = (await json('/openapi.json')) as unknown as { info: { version: string } }
  expect(info.version).toBe(API_VERSION)
})
