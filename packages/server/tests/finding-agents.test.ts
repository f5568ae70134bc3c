import { randomUUID } from 'node:crypto'
import { generateKey } from '@guildhall/protocol'
import type { Guildhall, Profile } from '@guildhall/sdk'
import { describe, expect, test } from 'vitest'
import { suspendAgent } from '../src/actions/agents/suspend-agent.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()

async function registered(profile: Partial<Profile> & { readonly name: string }): Promise<Guildhall> {
  const client = stage.client({ key: generateKey().secretKey })
  await client.agents.register({ description: 'Plays a part.', capabilities: ['acting'], ...profile })
  return client
}

const namesOf = async (query: Parameters<Guildhall['agents']['search']>[0]): Promise<string[]> =>
  (await stage.client().agents.search(query)).agents.map(({ name }) => name)

describe('a search by words', () => {
  test('finds words of name, description, organization, capabilities, protocols, tags and skills, in any order', async () => {
    await registered({
      name: 'Zyphora Translator',
      description: 'Renders contracts into plain Occitan.',
      capabilities: ['legal-writing'],
      protocols: ['mcp'],
      organization: 'Langue Doc',
      tags: ['notarial'],
      skills: [{ name: 'glossarium', registry: 'npm' }],
    })
    for (const q of ['zyphora', 'occitan ZYPHORA', 'legal', 'mcp langue', 'notarial', 'glossarium', 'Zyph']) {
      expect(await namesOf({ q }), q).toEqual(['Zyphora Translator'])
    }
    expect(await namesOf({ q: 'zyphora klingon' })).toEqual([])
  })

  test('understands typing errors and parts of words', async () => {
    await registered({ name: 'Quarrington' })
    for (const q of ['quarrigton', 'Quarringtom', 'qaurrington', 'quarringtoon', 'arringt']) {
      expect(await namesOf({ q }), q).toEqual(['Quarrington'])
    }
    expect(await namesOf({ q: 'Quxxxngton' })).toEqual([])
  })

  test('finds words with accents also by their plain letters', async () => {
    await registered({ name: 'Zoé Müñoz', description: 'Polishes résumés.' })
    for (const q of ['zoe', 'Zoé', 'munoz', 'MÜÑOZ', 'resume', 'zoe resumes']) {
      expect(await namesOf({ q }), q).toEqual(['Zoé Müñoz'])
    }
  })

  test('takes %, _ and \\ and everything that a query language knows for what they are', async () => {
    await registered({ name: 'foo_bar', description: 'Is 100% sure of \\ and of C++.' })
    await registered({ name: 'fooXbar', description: 'Knows only C.' })
    expect(await namesOf({ q: 'foo_bar' })).toEqual(['foo_bar'])
    expect(await namesOf({ q: 'c++' })).toEqual(['foo_bar'])
    for (const q of ['%', '_', '\\', '%%%', "'", '!', '&', "' or 1=1 --", ':*', '<->', '100%_\\ nothing']) {
      const names = await namesOf({ q })
      expect(names, q).toEqual([])
    }
    expect(await namesOf({ q: '100%' })).toEqual(['foo_bar'])
    expect(await namesOf({ q: "sure ' | !x & (" })).toEqual([])
  })

  test('takes a whole sentence: its first ten different words count', async () => {
    await registered({
      name: 'Zebulon',
      description: 'I quickly weigh very heavy crates and then label them all, in ink.',
    })
    const sentence = 'weigh very very heavy crates and then label all in ink'
    expect(await namesOf({ q: sentence })).toEqual(['Zebulon'])
    expect(await namesOf({ q: `${sentence} aboard a barge` })).toEqual(['Zebulon'])
    expect(await namesOf({ q: `aboard a barge ${sentence}` })).toEqual([])
  })

  test('follows a changed profile at once', async () => {
    const client = await registered({ name: 'Chameleon', description: 'Is verdigris today.' })
    await client.agents.update({ description: 'Is vermilion from now on.' })
    expect(await namesOf({ q: 'verdigris' })).toEqual([])
    expect(await namesOf({ q: 'vermilion' })).toEqual(['Chameleon'])
  })
})

test('all capabilities and protocols of a list must match, whatever their case', async () => {
  await registered({ name: 'Both', capabilities: ['Sailing', 'knots'], protocols: ['A2A', 'mcp'] })
  await registered({ name: 'One', capabilities: ['sailing'], protocols: ['a2a'] })
  expect((await namesOf({ capabilities: 'SAILING' })).sort()).toEqual(['Both', 'One'])
  expect(await namesOf({ capabilities: 'sailing, Knots' })).toEqual(['Both'])
  expect(await namesOf({ capabilities: 'sailing', protocols: 'a2a,MCP' })).toEqual(['Both'])
  expect(await namesOf({ capabilities: 'sailing,flying' })).toEqual([])
  expect(await namesOf({ capabilities: 'sail%' })).toEqual([])
})

test('blanks around a capability or a protocol are not kept, so that it is found', async () => {
  const client = await registered({ name: 'Blank', capabilities: ['  Falconry ', 'owls\t'], protocols: [' fcp '] })
  expect(await client.agents.me()).toMatchObject({ capabilities: ['Falconry', 'owls'], protocols: ['fcp'] })
  expect(await namesOf({ capabilities: 'falconry,Owls', protocols: 'fcp' })).toEqual(['Blank'])
  const changed = await client.agents.update({ capabilities: [' kites\u00a0'] })
  expect(changed.capabilities).toEqual(['kites'])
  expect(await namesOf({ capabilities: 'kites' })).toEqual(['Blank'])
  for (const capabilities of [[' '], ['\u3000\t']])
    await refusalOf(client.agents.update({ capabilities }), 'bad_request')
})

describe('pages', () => {
  const capability = `paging-${randomUUID()}`

  test('are counted, sorted and cut as asked', async () => {
    for (const name of ['pager b', 'Pager A', 'pager C', 'pager ä', 'pager D']) {
      await registered({ name, capabilities: [capability] })
    }
    const first = await stage.client().agents.search({ capabilities: capability, sort: 'name', limit: 2 })
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, total_pages: 3 })
    expect(first.agents.map(({ name }) => name)).toEqual(['Pager A', 'pager b'])
    expect(await namesOf({ capabilities: capability, sort: 'name', limit: 2, page: 3 })).toEqual(['pager ä'])
    expect(await namesOf({ capabilities: capability, sort: 'name', limit: 2, page: 4 })).toEqual([])
    expect(await namesOf({ capabilities: capability, sort: 'registered_at', limit: 1 })).toEqual(['pager D'])
  })

  test('without conditions have everybody in them, once', async () => {
    const { pagination } = await stage.client().agents.search({ limit: 1 })
    const seen: string[] = []
    for (let page = 1; page <= Math.ceil(pagination.total / 3); page++)
      seen.push(...(await namesOf({ limit: 3, page })))
    expect(seen.length).toBe(pagination.total)
    expect(new Set(seen).size).toBe(pagination.total)
  })

  test('malformed values are refused', async () => {
    const refused = [
      { limit: '0' },
      { limit: '101' },
      { limit: '1e1' },
      { page: '0' },
      { page: '-1' },
      { page: '1.5' },
      { page: '99999999999999999999' },
      { sort: 'score; drop table agents' },
      { status: 'gone' },
      { capabilities: '' },
      { capabilities: 'a,,b' },
      { q: '' },
      { q: 'x'.repeat(201) },
    ] as const
    for (const query of refused) {
      await refusalOf(stage.client().call('searchAgents', { query: query as { limit: string } }), 'bad_request')
    }
  })
})

test('suspended agents are hidden unless the status asks for them', async () => {
  const capability = `hiding-${randomUUID()}`
  const client = await registered({ name: 'Hidden', capabilities: [capability] })
  await suspendAgent(stage.node().service.world, client.agentId ?? '', null)
  expect(await namesOf({ capabilities: capability })).toEqual([])
  expect(await namesOf({ capabilities: capability, status: 'active' })).toEqual([])
  expect(await namesOf({ capabilities: capability, status: 'suspended' })).toEqual(['Hidden'])
  expect(await namesOf({ capabilities: capability, status: 'all' })).toEqual(['Hidden'])
  const counts = await Promise.all(
    (['all', 'suspended', undefined] as const).map(
      async (status) => (await stage.client().agents.search({ status, limit: 1 })).pagination.total,
    ),
  )
  expect(counts[0]).toBe((counts[1] ?? 0) + (counts[2] ?? 0))
  expect(counts[1]).toBe(1)
})
