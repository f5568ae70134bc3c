import { expect, test } from 'vitest'
import { createFaultSwitch, type FacilitatorCall, type Fault } from './fault.ts'

function met(fault: Fault, callsLeft: number | null, calls: readonly FacilitatorCall[]) {
  const spent: number[] = []
  const faults = createFaultSwitch((left) => spent.push(left))
  faults.set({ fault, callsLeft })
  return { faults: calls.map((call) => faults.meet(call)), spent, current: faults.current() }
}

test('a fault without a count lasts', () => {
  expect(met('down', null, ['verify', 'settle', 'verify'])).toEqual({
    faults: ['down', 'down', 'down'],
    spent: [],
    current: 'down',
  })
})

test('a counted fault heals after that many calls', () => {
  expect(met('down', 2, ['verify', 'settle', 'verify'])).toEqual({
    faults: ['down', 'down', 'ok'],
    spent: [1, 0],
    current: 'ok',
  })
})

test.each(['settle_reverts', 'response_lost', 'lies_settled', 'lies_failed'] as const)(
  '%s neither spoils nor counts a verify call',
  (fault) => {
    expect(met(fault, 1, ['verify', 'verify', 'settle', 'settle'])).toEqual({
      faults: ['ok', 'ok', fault, 'ok'],
      spent: [0],
      current: 'ok',
    })
  },
)

test('a fault with no calls left is none', () => {
  expect(met('down', 0, ['verify'])).toEqual({ faults: ['ok'], spent: [], current: 'ok' })
})

test('a held call goes on when the fault is changed', async () => {
  const faults = createFaultSwitch(() => undefined)
  faults.set({ fault: 'slow', callsLeft: null })
  const held = faults.hold(3_600_000)
  faults.set({ fault: 'ok', callsLeft: null })
  await held
})
