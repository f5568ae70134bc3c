import type { Agent, Hex, SealingTransaction, Store, Transaction, Transfer, World } from '@guildhall/server/parts'
import { announcementOf } from './store/inbox.ts'
import { enter } from './store/sealing.ts'
import type { Change } from './store/statements.ts'
import type { Tables } from './store/tables.ts'
import { savedOver } from './store/transfers.ts'
import type { Chance } from './time/chance.ts'
import type { Life } from './time/scheduler.ts'
import { withChanges } from './with-changes.ts'

/** Typical bugs of a service like this. The simulation has to detect each of them. */
export const BUGS = [
  'random payout nonce',
  'timeout is failure',
  'serial ledger sequence',
  'no agent lock',
  'expiry by wall clock',
  'credit on authorization used',
  'replay cache in memory',
  'event cursor by serial id',
  'refund without deposit',
  'refund to another payer',
  'unconditional update',
  'bond credited again in full',
  'withdrawal of a bond that is gone',
  'payout before finality',
  'random withdrawal nonce',
  'no look before a payout',
  'withdrawal not called off',
  'death before finality',
  'payout from a short wallet',
  'payout that was paused while it was signed',
  'payout booked without its deposit',
  'no hourly cap',
  'stray explained after its return',
  'signed withdrawal called off',
  'payment from before the first look booked twice',
  'suspended while its payment was checked',
] as const
export type Bug = (typeof BUGS)[number]

type Ports = Pick<World, 'clock' | 'chain' | 'facilitator'>

/** The context of a transaction. */
type Behind = { readonly life: Life; readonly tables: Tables; readonly change: Change }

/** Where bugs are injected, around the parts of the simulated world; the service's own code is unchanged. */
export type Seams = {
  store(store: Store): Store
  transaction(tx: Transaction, behind: Behind): Transaction
  sealing(tx: SealingTransaction, behind: Behind): SealingTransaction
  ports(ports: Ports): Ports
}

const SOUND: Seams = { store: (store) => store, transaction: (tx) => tx, sealing: (tx) => tx, ports: (ports) => ports }

const ANOTHER_PAYER: Hex = `0x${'bad0'.repeat(10)}`

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

type Seen = Awaited<ReturnType<Ports['chain']['evidence']>>
type Place = { readonly clock: Ports['clock']; readonly fromBlock: bigint }

/** Takes what the chain shows of an authorization for something else. */
const misreading = (read: (seen: Seen, place: Place) => Seen): Partial<Seams> => ({
  ports: ({ chain, clock, facilitator }) => ({
    clock,
    facilitator,
    chain: {
      ...chain,
      evidence: async (authorization, fromBlock) =>
        read(await chain.evidence(authorization, fromBlock), { clock, fromBlock }),
    },
  }),
})

/** Writes down another transfer than was intended. */
const intending = (purpose: Transfer['purpose'], changed: (transfer: Transfer) => Transfer): Partial<Seams> => ({
  transaction: (tx) =>
    withChanges(tx, {
      insertTransfer: (transfer) => tx.insertTransfer(transfer.purpose === purpose ? changed(transfer) : transfer),
    }),
})

const planted: Readonly<Record<Bug, (chance: Chance) => Partial<Seams>>> = {
  /** Each signature of a payout has a new nonce, so an older one that arrives late pays again. */
  'random payout nonce': (chance) => ({
    transaction: (tx, { tables, change }) =>
      withChanges(tx, {
        async saveTransfer(transfer) {
          const isReserved = transfer.signature === null && transfer.authorization.validBefore > 0n
          if (transfer.depositId === null || !isReserved) return tx.saveTransfer(transfer)
          Object.assign(transfer.authorization, { nonce: hexOf(chance.bytes(32)) })
          await change('saveTransfer', [`transfer ${transfer.id}`], (own) => {
            const before = own.get(tables.transfers, transfer.id)
            if (before === null) return
            const { authorization } = transfer
            own.put(tables.transfers, transfer.id, { ...savedOver(before, transfer), authorization })
          })
        },
      }),
  }),

  /** A timeout is taken to mean that nothing was settled. */
  'timeout is failure': () => {
    const failed = new Set<Hex>()
    return {
      ports: ({ chain, facilitator, clock }) => ({
        clock,
        facilitator: {
          verify: facilitator.verify,
          async settle(payment, requirements) {
            const outcome = await facilitator.settle(payment, requirements)
            if (outcome.kind === 'unknown') failed.add(payment.authorization.nonce)
            return outcome
          },
        },
        chain: {
          ...chain,
          evidence: async (authorization, fromBlock) =>
            failed.has(authorization.nonce)
              ? { kind: 'spent_otherwise', txHash: '0x', confirmations: 99, head: 2n ** 64n }
              : chain.evidence(authorization, fromBlock),
        },
      }),
    }
  },

  /** An entry's sequence comes from a counter that a rollback does not reset. */
  'serial ledger sequence': () => {
    let serial = 0
    return {
      sealing: (tx, { tables, change }) => ({
        ...tx,
        lockHead: async () => ({ ...(await tx.lockHead()), sequence: serial }),
        append(sealed, nodes) {
          serial += sealed.length
          return change('append', [], (own) => enter(tables, own, sealed, nodes))
        },
      }),
    }
  },

  /** Claims are counted without locking the agent. */
  'no agent lock': () => ({
    transaction: (tx) => withChanges(tx, { lockAgent: (id) => tx.agent(id) }),
  }),

  /** An authorization counts as dead when our own clock is past its end. */
  'expiry by wall clock': () =>
    misreading((seen, { clock }) =>
      seen.kind === 'unused' ? { ...seen, finalTime: BigInt(Math.floor(clock.now() / 1000)) } : seen,
    ),

  /** A used nonce counts as a payment, whatever it was used for. */
  'credit on authorization used': () =>
    misreading((seen, { fromBlock }) =>
      seen.kind === 'spent_otherwise' ? { ...seen, kind: 'settled', blockNumber: fromBlock, logIndex: 0 } : seen,
    ),

  /** Each node keeps the signatures it has seen in its own memory, and loses them when it dies. */
  'replay cache in memory': () => {
    const seen = new WeakMap<Life, Set<string>>()
    return {
      transaction: (tx, { life }) =>
        withChanges(tx, {
          async burnSignature(hash) {
            const own = seen.get(life) ?? new Set()
            seen.set(life, own)
            const key = Buffer.from(hash).toString('hex')
            if (own.has(key)) return false
            own.add(key)
            return true
          },
        }),
    }
  },

  /** Events are numbered when they are written, not when they are committed. */
  'event cursor by serial id': () => {
    const serials = new Map<string, number>()
    return {
      transaction: (tx, { tables, change }) => {
        const addEvents: Transaction['addEvents'] = (events, at, newId) =>
          change('addEvents', [], (own) => {
            for (const event of events) {
              const position = (serials.get(event.agentId) ?? 0) + 1
              serials.set(event.agentId, position)
              const row = { ...event, id: newId(), position, createdAt: at, readAt: null }
              own.put(tables.events, `${event.agentId} ${position}`, row)
              own.put(tables.inboxes, event.agentId, {
                agentId: event.agentId,
                lastPosition: position,
                unread: position,
              })
            }
          })
        return withChanges(tx, {
          addEvents,
          announceAtOnce: (task, at, newId) => addEvents(announcementOf(tables, task), at, newId).then(() => true),
          async announceTask(task, at, newId) {
            const events = announcementOf(tables, task)
            await addEvents(events, at, newId)
            return { told: events.length, done: true }
          },
        })
      },
    }
  },

  /** A refund is a payment like any other: it has its own nonce and does not wait for the deposit. */
  'refund without deposit': (chance) =>
    intending('refund', (refund) => ({
      ...refund,
      depositId: null,
      authorization: { ...refund.authorization, nonce: hexOf(chance.bytes(32)) },
    })),

  /** A refund goes to whomever the facilitator has named as the payer, not to the wallet that signed. */
  'refund to another payer': () =>
    intending('refund', (refund) => ({ ...refund, authorization: { ...refund.authorization, to: ANOTHER_PAYER } })),

  /** A task is saved without a lock, over whatever has happened to it since it was read. */
  'unconditional update': () => ({
    transaction: (tx) => withChanges(tx, { lockTask: (id) => tx.task(id) }),
  }),

  /**
   * A bond that the chain took back after it was withdrawn, and that comes again, is credited in full: what the house has paid for
   * it is forgotten. Only a deep reorg comes to this.
   */
  'bond credited again in full': () => ({
    transaction: (tx) => withChanges(tx, { bondDebt: async () => 0n }),
  }),

  /** A withdrawal that the chain took back with its bond is sent again when the bond never comes again: others pay for it. */
  'withdrawal of a bond that is gone': () => ({
    store: (store) => withChanges(store, { bondDebt: async () => 0n }),
  }),

  /** A deposit is paid out as soon as it has settled, however easily the chain could still take it back. */
  'payout before finality': () => ({
    store: (store) =>
      withChanges(store, {
        async transfer(id) {
          const transfer = await store.transfer(id)
          return transfer && { ...transfer, mature: true, final: true }
        },
      }),
  }),

  /** On an older copy of the database a withdrawal that has left is asked for with a nonce that the token has not seen. */
  'random withdrawal nonce': (chance) =>
    intending('withdrawal', (withdrawal) => ({
      ...withdrawal,
      authorization: { ...withdrawal.authorization, nonce: hexOf(chance.bytes(32)) },
    })),

  /** What was deep enough once is paid out without another look: the chain may have taken it back since. */
  'no look before a payout': () => ({
    store: (store) =>
      withChanges(store, {
        async transfer(id) {
          const transfer = await store.transfer(id)
          return transfer && { ...transfer, final: transfer.final || transfer.mature }
        },
        youngBonds: async (agentId) => (await store.youngBonds(agentId)).filter(({ mature }) => !mature),
      }),
  }),

  /** When the chain takes a bond back, its withdrawals wait on, and the house stands in for what has not even left. */
  'withdrawal not called off': () => ({
    transaction: (tx) => withChanges(tx, { unsentWithdrawals: async () => [] }),
  }),

  /** A payment is given up as soon as its nonce is spent otherwise, however easily the chain could still take that back. */
  'death before finality': () =>
    misreading((seen) => (seen.kind === 'spent_otherwise' ? { ...seen, confirmations: 99 } : seen)),

  /** Between two looks of the watch payouts are sent from a wallet that holds less than is owed to others. */
  'payout from a short wallet': () => ({
    store: (store) => withChanges(store, { leastHeld: async () => 0n }),
  }),

  /** The switch is not looked at once more when a payout has been signed. */
  'payout that was paused while it was signed': () => {
    let justSigned = 0
    return {
      transaction: (tx, { tables }) =>
        withChanges(tx, {
          saveTransfer(transfer) {
            const isSigned = transfer.signature !== null && tables.transfers.get(transfer.id)?.signature === null
            if (isSigned) justSigned++
            return tx.saveTransfer(transfer)
          },
        }),
      store: (store) =>
        withChanges(store, {
          async payoutsPaused() {
            if (justSigned === 0) return store.payoutsPaused()
            justSigned--
            return { paused: false, reason: null }
          },
        }),
    }
  },

  /** A payout whose deposit the chain has taken back is booked, as if it were paid for. */
  'payout booked without its deposit': () => ({
    transaction: (tx) =>
      withChanges(tx, {
        async transfer(id) {
          const transfer = await tx.transfer(id)
          return transfer?.purpose === 'deposit' ? { ...transfer, state: 'settled' } : transfer
        },
      }),
  }),

  /** Nobody adds up what was signed within the last hour. */
  'no hourly cap': () => ({
    transaction: (tx) => withChanges(tx, { atomicPaidOut: async () => 0n }),
  }),

  /** A payment that was taken for a stray, and is on its way back, pays for what it was meant for, too. */
  'stray explained after its return': () => ({
    transaction: (tx) =>
      withChanges(tx, {
        async lockStrayAt(network, place) {
          const stray = await tx.lockStrayAt(network, place)
          return stray && { ...stray, returned: null }
        },
      }),
  }),

  /** A withdrawal that is signed while its bond is taken back is called off after somebody may have seen the signature. */
  'signed withdrawal called off': () => ({
    transaction(tx) {
      let unsent: readonly string[] = []
      return withChanges(tx, {
        async unsentWithdrawals(agentId) {
          unsent = await tx.unsentWithdrawals(agentId)
          return unsent
        },
        async lockTransfer(id) {
          const transfer = await tx.lockTransfer(id)
          return transfer && unsent.includes(id) ? { ...transfer, signature: null } : transfer
        },
      })
    },
  }),

  /** What the wallet held at the first look is owed to nobody knows whom, even when its payer says what it was for. */
  'payment from before the first look booked twice': () => ({
    transaction: (tx) => withChanges(tx, { lockUnseenPayments: async () => [] }),
  }),

  /** An agent is charged for what it may not do any more. */
  'suspended while its payment was checked': () => {
    const asActive = (agent: Agent | null): Agent | null => agent && { ...agent, status: 'active' }
    return {
      transaction: (tx) =>
        withChanges(tx, {
          agent: async (id) => asActive(await tx.agent(id)),
          lockAgent: async (id) => asActive(await tx.lockAgent(id)),
        }),
    }
  },
}

export const seamsOf = (bug: Bug | null, chance: Chance): Seams =>
  bug === null ? SOUND : { ...SOUND, ...planted[bug](chance) }
