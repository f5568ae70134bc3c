import { describe, expect, test } from 'vitest'
import { createStoppedTimer } from '../../../tests/support/stopped-timer.ts'
import { createDoor, type Door, type Place } from './door.ts'

const CALM_MS = 2_000
const BUSY_MS = 50

/** Somebody who comes to the door, and what has become of them so far. */
function comer(door: Door, ip = '192.0.2.1') {
  const seen: { state: 'waiting' | 'inside' | 'turned away'; place: Place | null } = { state: 'waiting', place: null }
  const entered = (place: Place) => {
    seen.state = 'inside'
    seen.place = place
  }
  const refused = () => {
    seen.state = 'turned away'
  }
  try {
    const answer = door.enter(ip)
    if (answer instanceof Promise) answer.then(entered, refused)
    else entered(answer)
  } catch {
    refused()
  }
  return seen
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function crowd(door: Door, size: number, ip?: string) {
  const comers = Array.from({ length: size }, () => comer(door, ip))
  await settled()
  return comers
}

describe('a door', () => {
  test('lets in as many as may be at work, and the next when one leaves, in the order in which they came', async () => {
    const timer = createStoppedTimer()
    const comers = await crowd(createDoor(2, timer), 4)
    expect(comers.map(({ state }) => state)).toEqual(['inside', 'inside', 'waiting', 'waiting'])
    comers[0]?.place?.leave()
    await settled()
    expect(comers.map(({ state }) => state)).toEqual(['inside', 'inside', 'inside', 'waiting'])
  })

  test('lets callers in by turns, so that many requests of one hold up no other', async () => {
    const door = createDoor(1, createStoppedTimer())
    const [inside, second, third] = await crowd(door, 3)
    const other = comer(door, '192.0.2.2')
    inside?.place?.leave()
    await settled()
    second?.place?.leave()
    await settled()
    expect([second?.state, other.state, third?.state]).toEqual(['inside', 'inside', 'waiting'])
  })

  test('takes an IPv6 network for one caller', async () => {
    const door = createDoor(1, createStoppedTimer())
    const [inside] = await crowd(door, 1)
    const [first, second, other] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((ip) => comer(door, ip))
    inside?.place?.leave()
    await settled()
    first?.place?.leave()
    await settled()
    expect([second?.state, other?.state]).toEqual(['waiting', 'inside'])
  })

  test('with a full line turns away the newest request of the caller with the most', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(2, timer)
    await crowd(door, 2)
    timer.pass(CALM_MS + 1)
    const many = await crowd(door, 4)
    const others = await crowd(door, 3, '192.0.2.2')
    expect(many.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'turned away', 'turned away'])
    expect(others.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'turned away'])
  })

  test('is free again when all have left, however often they say so', async () => {
    const door = createDoor(1, createStoppedTimer())
    const [first] = await crowd(door, 1)
    first?.place?.leave()
    first?.place?.leave()
    expect(comer(door).state).toBe('inside')
    expect((await crowd(door, 1)).map(({ state }) => state)).toEqual(['waiting'])
  })

  test('lets a burst wait for two seconds, and no longer', async () => {
    const timer = createStoppedTimer()
    const [, waiting] = await crowd(createDoor(1, timer), 2)
    timer.pass(CALM_MS)
    await settled()
    expect(waiting?.state).toBe('waiting')
    timer.pass(1)
    await settled()
    expect(waiting?.state).toBe('turned away')
  })

  test('that has been shut for two seconds lets nobody wait for more than a moment', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    await crowd(door, 1)
    timer.pass(CALM_MS + 1)
    const [late] = await crowd(door, 1)
    timer.pass(BUSY_MS)
    await settled()
    expect(late?.state).toBe('waiting')
    timer.pass(1)
    await settled()
    expect(late?.state).toBe('turned away')
  })

  test('that has been shut for two seconds turns away at once whom it could not let in within a moment', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(2, timer)
    await crowd(door, 2)
    timer.pass(CALM_MS + 1)
    const late = await crowd(door, 5)
    expect(late.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'turned away'])
  })

  test('allows no long waits again only because its line is empty for a moment between two refusals', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    const [inside] = await crowd(door, 1)
    timer.pass(CALM_MS + 1)
    const [next, other] = await crowd(door, 4)
    inside?.place?.leave()
    await settled()
    next?.place?.leave()
    await settled()
    other?.place?.leave()
    await crowd(door, 1)
    const [late] = await crowd(door, 1)
    timer.pass(BUSY_MS + 1)
    await settled()
    expect(late?.state).toBe('turned away')
  })

  test('lets in whoever came last when the others have waited for too long', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    const [inside, early] = await crowd(door, 2)
    timer.pass(CALM_MS - 10)
    const [late] = await crowd(door, 1)
    timer.pass(20)
    inside?.place?.leave()
    await settled()
    expect([early?.state, late?.state]).toEqual(['turned away', 'inside'])
  })

  test('is calm again as soon as its line has been worked off', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    const [inside] = await crowd(door, 1)
    timer.pass(CALM_MS + 1)
    const [next] = await crowd(door, 1)
    inside?.place?.leave()
    await settled()
    const [after] = await crowd(door, 1)
    timer.pass(CALM_MS)
    await settled()
    expect([next?.state, after?.state]).toEqual(['inside', 'waiting'])
  })

  test('turns away at once whoever finds the line too long', async () => {
    const comers = await crowd(createDoor(1, createStoppedTimer()), 1_002)
    expect(comers.filter(({ state }) => state === 'waiting')).toHaveLength(1_000)
    expect(comers.at(-1)?.state).toBe('turned away')
  })

  test('knows who is at work, who waits, and how many it has turned away', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    const [inside] = await crowd(door, 1_002)
    expect(door.counts()).toEqual({ atWork: 1, inLine: 1_000, turnedAway: 1 })
    timer.pass(CALM_MS + 1)
    expect(door.counts()).toEqual({ atWork: 1, inLine: 0, turnedAway: 1_001 })
    inside?.place?.leave()
    expect(door.counts()).toEqual({ atWork: 0, inLine: 0, turnedAway: 1_001 })
  })

  test('frees the place of a request that waits for its caller, which then queues again', async () => {
    const timer = createStoppedTimer()
    const door = createDoor(1, timer)
    const [first, second] = await crowd(door, 2)
    let back = () => {}
    const away = first?.place?.away(() => new Promise<void>((resolve) => (back = resolve)))
    await settled()
    expect(second?.state).toBe('inside')
    back()
    await settled()
    const [third] = await crowd(door, 1)
    second?.place?.leave()
    await away
    expect(third?.state).toBe('waiting')
    first?.place?.leave()
    await settled()
    expect(third?.state).toBe('inside')
  })

  test('keeps no place for a request whose wait for its caller failed', async () => {
    const door = createDoor(1, createStoppedTimer())
    const [first] = await crowd(door, 1)
    await expect(first?.place?.away(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    first?.place?.leave()
    expect((await crowd(door, 2)).map(({ state }) => state)).toEqual(['inside', 'waiting'])
  })
})

/** A service of known speed, and as many callers as one likes, in time that is counted in milliseconds. */
async function rush(comesPerMs: number, lastsMs: number, floodPerMs = 0) {
  const AT_ONCE = 10
  const WORK_MS = 10
  const timer = createStoppedTimer()
  const door = createDoor(AT_ONCE, timer)
  const working: { readonly place: Place; readonly until: number }[] = []
  const seen = { done: 0, turnedAway: 0, waits: [] as number[] }
  const flood = (place: Place) => working.push({ place, until: timer.elapsed() + WORK_MS })
  let owed = 0
  for (let now = 0; now < lastsMs; now++) {
    for (let come = 0; come < floodPerMs; come++) {
      new Promise<Place>((resolve) => resolve(door.enter('192.0.2.2'))).then(flood, () => {})
    }
    for (owed += comesPerMs; owed >= 1; owed--) {
      const since = now
      const start = (place: Place) => {
        seen.waits.push(timer.elapsed() - since)
        working.push({ place, until: timer.elapsed() + WORK_MS })
      }
      const answer = new Promise<Place>((resolve) => resolve(door.enter('192.0.2.1')))
      answer.then(start, () => seen.turnedAway++)
    }
    await settled()
    for (const one of working.filter(({ until }) => until <= now)) {
      working.splice(working.indexOf(one), 1)
      one.place.leave()
      seen.done++
    }
    await settled()
    timer.pass(1)
  }
  return seen
}

test('at three times its capacity a door works at full capacity, and nobody waits long', async () => {
  const { done, turnedAway, waits } = await rush(3, 4_000)
  expect(done).toBeGreaterThan(0.9 * 4_000)
  expect(turnedAway).toBeGreaterThan(0.6 * 2 * 4_000)
  expect(Math.max(...waits.slice(-1_000))).toBeLessThanOrEqual(BUSY_MS)
})

test('at half its capacity nobody waits', async () => {
  const { turnedAway, waits } = await rush(0.5, 1_000)
  expect([turnedAway, Math.max(...waits)]).toEqual([0, 0])
})

test('a flood of another caller turns nobody away who stays within the capacity left', async () => {
  const { turnedAway, waits } = await rush(0.25, 4_000, 30)
  expect(turnedAway).toBe(0)
  expect(waits.length).toBeGreaterThan(990)
  expect(Math.max(...waits)).toBeLessThanOrEqual(BUSY_MS)
})
