import { expect, test } from 'vitest'
import { silentLog } from '../../../tests/support/store.ts'
import type { SandboxControl } from '../../ports/sandbox-control.ts'
import type { Timer } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'
import { sandboxHandlers } from './sandbox.ts'

const network = 'eip155:8453'
const calls: [name: string, call: 'faucet' | 'moveClock' | 'setFaults', body: unknown][] = [
  ['faucet', 'faucet', { network, address: `0x${'Ab'.repeat(20)}`, usdc: '1' }],
  ['clock', 'moveClock', { advance_seconds: 1 }],
  ['faults', 'setFaults', { facilitator: 'ok' }],
]

/** The handlers of a sandbox whose parts all do this. */
const handlersWith = (part: () => Promise<never>, after: Timer['after']) =>
  sandboxHandlers(
    { log: silentLog, timer: { elapsed: () => 0, after } } as unknown as World,
    {
      places: { networks: [{ network }] },
      mint: part,
      advance: part,
      setFaults: part,
    } as unknown as SandboxControl,
  )

test.each(calls)(
  'a part of the sandbox that fails is 503 service_unavailable, never a 500: %s',
  async (_, name, body) => {
    const fails = () => Promise.reject(new Error('ENOSPC: no space left on device'))
    const handle = handlersWith(fails, () => () => {})[name]
    await expect(handle({ body } as never)).rejects.toMatchObject({ code: 'service_unavailable', fields: {} })
  },
)

test.each(calls)('a part of the sandbox that is frozen is not waited for: %s', async (_, name, body) => {
  const waits: number[] = []
  const handle = handlersWith(
    () => new Promise(() => {}),
    (ms, ring) => {
      waits.push(ms)
      ring()
      return () => {}
    },
  )[name]
  await expect(handle({ body } as never)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: 'A part of the sandbox does not answer. What was asked may still happen when it goes on.',
    fields: { maybe_done: true },
  })
  expect(waits).toEqual([15_000])
})
