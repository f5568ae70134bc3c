import { randomUUID } from 'node:crypto'
import { type EndpointName, signRequest } from '@guildhall/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner, type OwnerPlayer } from '../support/owners.ts'
import { setStage } from '../support/stage.ts'
import { problemOf } from './published-answer.ts'
import { plainSender } from './raw-call.ts'
import { type AgentRole, foundTown, setStatus, type Town } from './roles.ts'
import { CLOSED_DOORS, endpointNames, sampleCall, written } from './sample-calls.ts'
import { hostileSeed, seeded, someOf } from './seeded.ts'
import { type SpoiltCall, spoiltCalls } from './spoilt-calls.ts'
import { watchRows } from './untouched.ts'

/** More calls find more. */
const CALLS_PER_ENDPOINT = Number(process.env.HOSTILE_CALLS ?? 20)
const CALLERS: readonly AgentRole[] = ['creator', 'deliverer', 'stranger']

const stage = setStage({ settings: CLOSED_DOORS })
const rows = watchRows(stage)
const sendPlain = plainSender()
let town: Town
beforeAll(async () => {
  console.info(`HOSTILE_SEED=${hostileSeed}`)
  town = await foundTown(stage)
  await setStatus(stage, town.agents['suspended agent'], 'active')
})
afterAll(() => expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false))

function proofFor(
  name: EndpointName,
  { path, body }: SpoiltCall,
  caller: AgentRole,
  owner: OwnerPlayer,
): Readonly<Record<string, string>> {
  const { declared } = sampleCall(name, town.targets)
  if (declared.auth === 'none') return {}
  if (declared.auth === 'owner') return owner.headers
  if (declared.auth === 'manage') return { Authorization: `Bearer ${town.token}` }
  const timestamp = Math.floor(stage.now() / 1000)
  const { key: secretKey } = town.agents[caller]
  return { ...signRequest({ secretKey, method: declared.method, path, body, timestamp, nonce: randomUUID() }) }
}

/** The seed of an endpoint does not depend on which others there are. */
const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, hostileSeed)

test.each(endpointNames)(
  '%s answers every malformed call as published, and what is refused changes nothing',
  async (name) => {
    const sample = sampleCall(name, town.targets)
    const { declared } = sample
    const random = seeded(seedOf(name))
    const owner = await newOwner(stage)
    let before = await rows.look()
    for (const call of someOf(spoiltCalls(sample), CALLS_PER_ENDPOINT, random)) {
      const caller = CALLERS[Math.floor(random() * CALLERS.length)] ?? 'stranger'
      const type = call.body === null ? {} : written(declared, {}).headers
      const answer = await sendPlain(stage.node().url, {
        method: declared.method,
        target: call.query === '' ? call.path : `${call.path}?${call.query}`,
        headers: { ...proofFor(name, call, caller, owner), ...type, ...call.headers },
        body: call.body,
      })
      const said = `seed ${hostileSeed}, ${caller}, ${call.what.slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 500)}`
      const samePlace = call.path === sample.path
      expect(problemOf(samePlace ? declared : null, answer), said).toBeNull()
      if (declared.method === 'GET') continue
      if (answer.status < 400) await stage.runDue()
      const after = await rows.look()
      if (answer.status >= 400) expect(after, said).toBe(before)
      before = after
    }
  },
)
