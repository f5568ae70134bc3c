import { formatUsdc } from '@guildhall/protocol'
import type { Guildhall, Manager, TextWallet } from '@guildhall/sdk'
import { type Crowd, insist } from './insist.ts'
import { HIRE_NETWORKS } from './networks.ts'
import type { Payer } from './notebook.ts'
import type { Poster } from './task-career.ts'

/** An unregistered wallet that hires. */
export type Hirer = Payer & {
  readonly account: TextWallet
  readonly clients: readonly [Guildhall, Guildhall]
}

/** Uses the manage token if its answer arrived; otherwise the wallet signs each decision. */
export function walletPoster(crowd: Crowd, hirer: Hirer): Poster {
  let manager: Manager = hirer.account
  return {
    id: hirer.id,
    networks: HIRE_NETWORKS,
    async post({ bounty, ...text }) {
      const task = { ...text, bounty_usdc: formatUsdc(bounty) }
      const outcome = await insist(crowd, hirer, ({ hires }, options) => hires.post(task, options))
      if (outcome.kind === 'answered') manager = outcome.answer.manage.token
      return outcome
    },
    decide: (id, decision) =>
      insist(crowd, hirer, ({ hires }, options): Promise<unknown> => {
        const hired = hires.manage(id, manager)
        switch (decision) {
          case 'accept':
            return hired.accept({ rating: 5 }, options)
          case 'revision':
            return hired.revision({ note: 'Louder, please.' }, options)
          case 'dispute':
            return hired.dispute({ reason: 'That was German.' }, options)
          case 'cancel':
            return hired.cancel({}, options)
        }
      }),
  }
}
