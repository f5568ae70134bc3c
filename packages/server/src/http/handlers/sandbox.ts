import { parseUsdc, SECOND } from '@guildhall/protocol'
import { runUntilQuiet } from '../../actions/run-until-quiet.ts'
import { isoTime } from '../../domain/instant.ts'
import { refusal, refuse } from '../../domain/refusal.ts'
import type { SandboxControl } from '../../ports/sandbox-control.ts'
import type { Timer } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'

type SandboxHandlers = Required<Pick<Handlers, 'sandbox' | 'faucet' | 'moveClock' | 'setFaults'>>

/** A slow facilitator keeps payments waiting for longer than clients wait for an answer. */
const LONGEST_MS = 20 * SECOND
const PATIENCE_MS = 15 * SECOND
const SILENT = 'A part of the sandbox does not answer. What was asked may still happen when it goes on.'

/** The play parts' own routes. They exist where a sandbox control is handed in, and nowhere else. */
export function sandboxHandlers(world: World, control: SandboxControl): SandboxHandlers {
  /** A chain that was just killed, or a full disk: the parts come back, and the call can be sent again. */
  const done = <T>(change: Promise<T>): Promise<T> => {
    const told = change.catch((error: unknown) => {
      world.log.warn('a part of the sandbox failed', { error: String(error) })
      return refuse('service_unavailable')
    })
    return answeredWithin(world.timer, told)
  }
  return {
    async sandbox() {
      const { networks, facilitatorUrl, mailUrl, identityUrl } = control.places
      return {
        body: {
          now: isoTime(world.clock.now()),
          networks: networks.map(({ network, rpcUrl, usdc }) => ({
            network,
            rpc_url: rpcUrl,
            // In lower case, as in the terms of payment.
            usdc: usdc.toLowerCase(),
            escrow_wallet: world.escrow?.address ?? null,
          })),
          facilitator_url: facilitatorUrl,
          mail_url: mailUrl,
          identity_url: identityUrl,
        },
      }
    },

    async faucet({ body }) {
      if (!control.places.networks.some(({ network }) => network === body.network)) {
        refuse('bounty_unsupported_network', { networks: control.places.networks.map(({ network }) => network) })
      }
      // In lower case: mixed case is a checksum to the chain's client, and it throws at a wrong one.
      const address = body.address.toLowerCase()
      const { txHash, balanceUsdc } = await done(control.mint(body.network, address, parseUsdc(body.usdc) ?? 0n))
      return { body: { tx_hash: txHash, balance_usdc: balanceUsdc } }
    },

    async moveClock({ body }) {
      const answerBy = world.timer.elapsed() + LONGEST_MS
      await done(control.advance(body.advance_seconds))
      await quietWithin(world, answerBy - world.timer.elapsed())
      return { body: { now: isoTime(world.clock.now()) } }
    },

    async setFaults({ body }) {
      const { facilitator = null, rpc = null, times = null } = body
      const set = await done(control.setFaults({ facilitator, rpc, times }))
      return { body: { ok: true, ...set } }
    },
  }
}

/** A part that is frozen, such as a chain that was stopped in a debugger, would be waited for until it goes on. */
const answeredWithin = <T>(timer: Timer, change: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = timer.after(PATIENCE_MS, () => reject(refusal('service_unavailable', { maybe_done: true }, SILENT)))
    change.finally(stop).then(resolve, reject)
  })

/** Waits until nothing is due any more, but no longer than this; what is left goes on in the background. */
const quietWithin = (world: World, ms: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = world.timer.after(ms, resolve)
    runUntilQuiet(world).finally(stop).then(resolve, reject)
  })
