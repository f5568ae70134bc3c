import { hashText, limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { AgentIdentity, IdentityLink } from '../domain/identity-link/identity-link.ts'

const bench = storeBench()
const newAgent = () => bench.store.transaction((tx) => addAgent(tx))

async function newLink(changes: Partial<IdentityLink> = {}): Promise<IdentityLink> {
  const { id: agentId } = await newAgent()
  const id = sampleId('lnk')
  const link: IdentityLink = {
    id,
    agentId,
    issuer: 'https://issuer.example',
    status: 'pending',
    error: null,
    stateHash: hashText(id),
    bindingHash: null,
    codeHash: null,
    createdAt: NOW,
    expiresAt: NOW + limits.identityLink.lifeMs,
    endedAt: null,
    ...changes,
  }
  await bench.store.transaction((tx) => tx.insertIdentityLink(link))
  return link
}

const identity = (agentId: string, subject: string): AgentIdentity => ({
  agentId,
  issuer: 'https://issuer.example',
  subject,
  email: 'a***@example.com',
  emailVerified: true,
  displayName: 'Ada',
  linkedAt: NOW,
})

const save = (agentId: string, subject: string, store = bench.store) =>
  store.transaction((tx) => tx.saveIdentity(identity(agentId, subject)))

test('a link is found by its id and by the hash of its state, and by nothing else', async () => {
  const link = await newLink()
  expect(await bench.store.identityLink(link.id)).toEqual(link)
  expect(await bench.store.identityLinkOfState(link.stateHash)).toEqual(link)
  expect(await bench.store.identityLinkOfState(hashText('another'))).toBeNull()
})

test('a link is bound once, to one browser, which may come back with another code', async () => {
  const { id } = await newLink()
  const [mine, thief] = [hashText('mine'), hashText('thief')]
  const bind = (binding: string, code: string) =>
    bench.store.transaction((tx) => tx.bindIdentityLink(id, binding, hashText(code)))
  expect(await bind(mine, 'one')).toBe(true)
  expect(await bind(thief, 'one')).toBe(false)
  expect(await bind(mine, 'two')).toBe(true)
  expect(await bench.store.identityLink(id)).toMatchObject({ bindingHash: mine, codeHash: hashText('two') })
})

test('a code is taken once, by the browser that it was shown to', async () => {
  const [binding, codeHash] = [hashText('mine'), hashText('code')]
  const { id } = await newLink()
  await bench.store.transaction((tx) => tx.bindIdentityLink(id, binding, codeHash))
  const take = (by: string, code: string) => bench.store.transaction((tx) => tx.takeIdentityCode(id, by, code))
  expect(await take(hashText('thief'), codeHash)).toBe(false)
  expect(await take(binding, hashText('another'))).toBe(false)
  const takes = await Promise.all(Array.from({ length: 8 }, () => take(binding, codeHash)))
  expect(takes.filter((taken) => taken)).toHaveLength(1)
})

test('a link that has ended is neither bound nor used', async () => {
  const { id, ...link } = await newLink()
  const [binding, codeHash] = [hashText('mine'), hashText('code')]
  await bench.store.transaction(async (tx) => {
    await tx.bindIdentityLink(id, binding, codeHash)
    await tx.endIdentityLink({ ...link, id, status: 'failed', error: 'access_denied', endedAt: NOW })
  })
  expect(await bench.store.transaction((tx) => tx.bindIdentityLink(id, binding, codeHash))).toBe(false)
  expect(await bench.store.transaction((tx) => tx.takeIdentityCode(id, binding, codeHash))).toBe(false)
})

test('a person stands behind one agent, and an agent that is refused keeps the person it had', async () => {
  const [one, other] = [await newAgent(), await newAgent()]
  expect(await save(one.id, 'ada')).toBe(true)
  expect(await save(other.id, 'grace')).toBe(true)
  expect(await save(other.id, 'ada')).toBe(false)
  expect(await save(one.id, 'ada')).toBe(true)
  const found = await bench.store.identitiesOf([one.id, other.id, 'ag_nobody'])
  expect([...found.values()].map(({ subject }) => subject).sort()).toEqual(['ada', 'grace'])
  expect(await bench.store.transaction((tx) => tx.removeIdentity(one.id))).toBe(true)
  expect(await bench.store.transaction((tx) => tx.removeIdentity(one.id))).toBe(false)
  expect(await save(other.id, 'ada')).toBe(true)
})

test('the second of two agents that link one person waits for the first, and keeps the person it had', async () => {
  const [first, second] = [await newAgent(), await newAgent()]
  await save(second.id, 'before')
  const { opened, open } = gate()
  const { opened: began, open: begin } = gate()
  const slow = bench.store.transaction(async (tx) => {
    const saved = await tx.saveIdentity(identity(first.id, 'wanted'))
    begin()
    await opened
    return saved
  })
  await began
  const late = save(second.id, 'wanted', bench.other)
  open()
  expect([await slow, await late]).toEqual([true, false])
  expect((await bench.store.identitiesOf([second.id])).get(second.id)?.subject).toBe('before')
})

test('links are forgotten after a month', async () => {
  const link = await newLink()
  const end = link.expiresAt + limits.identityLink.keptMs
  await bench.store.transaction((tx) => tx.forgetExpired(end - 1))
  expect(await bench.store.identityLink(link.id)).not.toBeNull()
  await bench.store.transaction((tx) => tx.forgetExpired(end))
  expect(await bench.store.identityLink(link.id)).toBeNull()
})
