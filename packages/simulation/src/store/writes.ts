import type { Agent, Task, Transaction, Transfer } from '@guildhall/server/parts'
import { isSameAuthorization, mayLease, PAYOUTS } from './reads.ts'
import type { Overlay, Tables } from './tables.ts'

/** The writes of the actions outside of custody. */
export type SimulatedWrites = Pick<
  Transaction,
  | 'burnSignature'
  | 'burnWalletNonce'
  | 'insertAgent'
  | 'lockAgent'
  | 'setWallet'
  | 'countForAgent'
  | 'adjustBond'
  | 'noteSeen'
  | 'insertTask'
  | 'postTask'
  | 'lockTask'
  | 'saveTask'
  | 'saveManageToken'
  | 'insertSubmission'
  | 'insertReceipt'
  | 'insertTransfer'
  | 'lockTransfer'
  | 'saveTransfer'
  | 'leaseTransfer'
  | 'renewLease'
  | 'post'
  | 'appendPending'
  | 'addPaymentEvent'
  | 'lockReputations'
  | 'saveReputation'
  | 'pausePayouts'
  | 'lockPayouts'
  | 'atomicPaidOut'
  | 'hastenPayouts'
  | 'giveUpDay'
>

/** Runs a statement that first takes these locks, waiting for their holders. */
export type Change = <T>(what: string, locks: readonly string[], act: (own: Overlay) => T) => Promise<T>

export type Statements = {
  readonly change: Change
  /** Whether no other transaction holds the lock. */
  readonly isFree: (key: string) => boolean
  /** A number from a sequence, which a rollback does not return. */
  readonly nextNumber: () => number
}

const PAYOUTS_SWITCH = 'switch payouts'

export function writesOf(tables: Tables, { change, isFree, nextNumber }: Statements): SimulatedWrites {
  const updateAgent = (id: string, what: string, update: (agent: Agent) => Agent) =>
    change(what, [`agent ${id}`], (own) => {
      const agent = own.get(tables.agents, id)
      if (agent) own.put(tables.agents, id, update(agent))
    })

  return {
    burnSignature(hash, expiresAt) {
      const key = Buffer.from(hash).toString('hex')
      return change('burnSignature', [`signature ${key}`], (own) => {
        if (own.get(tables.signatures, key) !== null) return false
        own.put(tables.signatures, key, expiresAt)
        return true
      })
    },
    burnWalletNonce: (purpose, nonce, at) =>
      change('burnWalletNonce', [`nonce ${purpose} ${nonce}`], (own) => {
        if (own.get(tables.walletNonces, `${purpose} ${nonce}`) !== null) return false
        own.put(tables.walletNonces, `${purpose} ${nonce}`, at)
        return true
      }),

    insertAgent: (agent, nameKey) =>
      change('insertAgent', [`agent ${agent.id}`, `name ${nameKey}`], (own) => {
        if (own.get(tables.agents, agent.id) !== null) return 'id_taken'
        if (own.get(tables.names, nameKey) !== null) return 'name_taken'
        own.put(tables.agents, agent.id, agent)
        own.put(tables.names, nameKey, agent.id)
        own.put(tables.inboxes, agent.id, { agentId: agent.id, lastPosition: 0, unread: 0 })
        return 'inserted'
      }),
    lockAgent: (id) => change('lockAgent', [`agent ${id}`], (own) => own.get(tables.agents, id)),
    setWallet: (id, wallet) => updateAgent(id, 'setWallet', (agent) => ({ ...agent, wallet })),
    countForAgent: (id, counts) =>
      updateAgent(id, 'countForAgent', (agent) => {
        const track: Record<string, number> = { ...agent.track }
        for (const [name, number] of Object.entries(counts)) track[name] = (track[name] ?? 0) + (number ?? 0)
        return { ...agent, track: track as Agent['track'] }
      }),
    adjustBond: (id, network, by) =>
      change('adjustBond', [`agent ${id}`], (own) => {
        const agent = own.get(tables.agents, id)
        if (!agent || (agent.bondBalance !== 0n && agent.bondNetwork !== network)) {
          throw new Error(`The bond of ${id} is not on ${network}.`)
        }
        const bondBalance = agent.bondBalance + by
        if (bondBalance < 0n) throw new Error(`The bond of ${id} would be ${bondBalance}.`)
        own.put(tables.agents, id, { ...agent, bondBalance, bondNetwork: network })
      }),
    async noteSeen(id, at) {
      if (isFree(`agent ${id}`)) await updateAgent(id, 'noteSeen', (agent) => ({ ...agent, lastSeenAt: at }))
    },

    insertTask: (task) => change('insertTask', [`task ${task.id}`], (own) => own.put(tables.tasks, task.id, task)),
    // Agents are told by the jobs here, unlike after a deposit, because things can go wrong in between.
    postTask: (task) => change('postTask', [`task ${task.id}`], (own) => own.put(tables.tasks, task.id, task)),
    lockTask: (id) => change('lockTask', [`task ${id}`], (own) => own.get(tables.tasks, id)),
    saveTask: (task) =>
      change('saveTask', [`task ${task.id}`], (own) => {
        if (own.get(tables.tasks, task.id) === null) throw new Error(`There is no task ${task.id} to save.`)
        checkTask(task)
        own.put(tables.tasks, task.id, task)
      }),

    saveManageToken: (taskId, hash) =>
      change('saveManageToken', [`token ${hash}`], (own) => own.put(tables.manageTokens, hash, taskId)),
    insertSubmission: (submission) =>
      change('insertSubmission', [], (own) => own.put(tables.submissions, submission.id, submission)),
    insertReceipt: (receipt) =>
      change('insertReceipt', [`receipt ${receipt.taskId} ${receipt.revision}`], (own) => {
        for (const { taskId, revision } of own.all(tables.receipts)) {
          if (taskId === receipt.taskId && revision === receipt.revision)
            throw new Error('This revision has a receipt.')
        }
        own.put(tables.receipts, receipt.id, receipt)
      }),

    insertTransfer(transfer) {
      const { authorization, depositId } = transfer
      const keys = [`authorization ${authorization.network} ${authorization.from} ${authorization.nonce}`]
      if (depositId !== null) keys.push(`exit ${depositId}`)
      return change('insertTransfer', keys, (own) => {
        for (const other of own.all(tables.transfers)) {
          const isSame = isSameAuthorization(other.authorization, authorization)
          if (isSame || (depositId !== null && other.depositId === depositId)) return false
        }
        own.put(tables.transfers, transfer.id, transfer)
        return true
      })
    },
    lockTransfer: (id) => change('lockTransfer', [`transfer ${id}`], (own) => own.get(tables.transfers, id)),
    saveTransfer: (transfer) =>
      change('saveTransfer', [`transfer ${transfer.id}`], (own) => {
        const before = own.get(tables.transfers, transfer.id)
        if (before === null || before.fence !== transfer.fence) {
          throw new Error(`Transfer ${transfer.id} has been leased again; this outcome is stale.`)
        }
        own.put(tables.transfers, transfer.id, savedOver(before, transfer))
      }),
    leaseTransfer: (id, now, until) =>
      change('leaseTransfer', [`transfer ${id}`], (own) => {
        const free = own.get(tables.transfers, id)
        if (free === null || !mayLease(free, now)) return null
        const attempts = free.attempts + (free.state === 'intended' ? 1 : 0)
        const leased = { ...free, leaseUntil: until, fence: free.fence + 1, attempts }
        own.put(tables.transfers, id, leased)
        return leased
      }),
    renewLease: ({ id, fence }, until) =>
      change('renewLease', [`transfer ${id}`], (own) => {
        const held = own.get(tables.transfers, id)
        if (held?.fence !== fence || held.leaseUntil === null) return false
        own.put(tables.transfers, id, { ...held, leaseUntil: until })
        return true
      }),

    post: (posting) =>
      change('post', [], (own) => {
        if (posting.debit === posting.credit || posting.amount < 0n) throw new Error('This is no posting.')
        own.put(tables.postings, posting.id, posting)
      }),
    appendPending: (entry) =>
      change('appendPending', [`pending ${entry.id}`], (own) => {
        if (own.get(tables.pending, entry.id) !== null) throw new Error(`${entry.id} is pending already.`)
        own.put(tables.pending, entry.id, { ...entry, position: nextNumber() })
      }),
    addPaymentEvent: (event) => change('addPaymentEvent', [], (own) => own.put(tables.paymentEvents, event.id, event)),

    async lockReputations(agentIds) {
      const ids = [...agentIds].sort()
      const keys = ids.map((id) => `reputation ${id}`)
      const found = await change('lockReputations', keys, (own) => ids.map((id) => own.get(tables.reputations, id)))
      return (agentId) => found[ids.indexOf(agentId)] ?? missing(agentId)
    },
    saveReputation: (reputation) =>
      change('saveReputation', [`reputation ${reputation.agentId}`], (own) =>
        own.put(tables.reputations, reputation.agentId, reputation),
      ),

    pausePayouts: (paused, reason) =>
      change('pausePayouts', [PAYOUTS_SWITCH], (own) => own.put(tables.switches, 'payouts', { paused, reason })),
    lockPayouts: () =>
      change('lockPayouts', [PAYOUTS_SWITCH], (own) => {
        return own.get(tables.switches, 'payouts') ?? { paused: true, reason: null }
      }),
    atomicPaidOut: (validAfterSecond, exceptTransferId) =>
      change('atomicPaidOut', [], (own) => {
        let sum = 0n
        for (const { id, purpose, authorization } of own.all(tables.transfers)) {
          const isAlive = PAYOUTS.has(purpose) && authorization.validBefore > validAfterSecond
          if (isAlive && id !== exceptTransferId) sum += authorization.value
        }
        return sum
      }),
    giveUpDay: () => change('giveUpDay', ['kept days'], () => {}),
    async hastenPayouts(now) {
      const isQueued = ({ state, purpose }: Transfer) => state === 'intended' && PAYOUTS.has(purpose)
      const ids = [...tables.transfers.values()].filter(isQueued).map(({ id }) => id)
      const keys = ids.map((id) => `transfer ${id}`)
      return change('hastenPayouts', keys, (own) => {
        const queued = ids.flatMap((id) => own.get(tables.transfers, id) ?? []).filter(isQueued)
        for (const transfer of queued) own.put(tables.transfers, transfer.id, { ...transfer, nextAttemptAt: now })
        return queued.length
      })
    },
  }
}

/** What others signed never changes; a payout's own validity is renewed with its signature. */
export const savedOver = (before: Transfer, { authorization, ...after }: Transfer): Transfer => {
  const { validAfter, validBefore } = authorization
  const { purpose, taskId, agentId, depositId, createdAt } = before
  const kept = { purpose, taskId, agentId, depositId, createdAt }
  return { ...after, ...kept, authorization: { ...before.authorization, validAfter, validBefore } }
}

/** The table's constraints that a faulty move could violate. */
function checkTask({ id, status, claimedBy }: Task): void {
  if (['claimed', 'submitted', 'verified'].includes(status) && claimedBy === null) {
    throw new Error(`Task ${id} is ${status} and nobody has claimed it.`)
  }
}

function missing(agentId: string): never {
  throw new Error(`There is no reputation of ${agentId}.`)
}
