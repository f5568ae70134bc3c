import { expect, test } from 'vitest'
import { silentLog } from '../../../tests/support/store.ts'
import type { SandboxControl } from '../../ports/sandbox-control.ts'
import type { World } from '../../ports/world.ts'
import { sandboxHandlers } from './sandbox.ts'

const network = 'eip155:8453'
const fails = () => Promise.reject(new Error('ENOSPC: no space left on device'))
const control = {
  places: { networks: [{ network }] },
  mint: fails,
  advance: fails,
  setFaults: fails,
} as unknown as SandboxControl
const { faucet, moveClock, setFaults } = sandboxHandlers({ log: silentLog } as unknown as World, control)

test.each([
  ['faucet', faucet, { network, address: `0x${'Ab'.repeat(20)}`, usdc: '1' }],
  ['clock', moveClock, { advance_seconds: 1 }],
  ['faults', setFaults, { facilitator: 'ok' }],
])('a part of the sandbox that fails is 503 service_unavailable, never a 500: %s', async (_, handle, body) => {
  await expect(handle({ body } as never)).rejects.toMatchObject({ code: 'service_unavailable' })
})
