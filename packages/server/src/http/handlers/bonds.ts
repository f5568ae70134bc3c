import { afterChange } from '../../actions/after-change.ts'
import { postBond } from '../../actions/bonds/post-bond.ts'
import { withdrawBond } from '../../actions/bonds/withdraw-bond.ts'
import { claimBudget } from '../../domain/claim-budget/claim-budget.ts'
import { refuse } from '../../domain/refusal.ts'
import type { TransferState } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { claimBudgetView } from '../views/agent-view.ts'
import { paymentResponseHeader } from '../views/payment-view.ts'

type BondHandlers = Pick<Handlers, 'getClaimBudget' | 'postBond' | 'withdrawBond'>

export function bondHandlers(world: World): BondHandlers {
  const { store, rules } = world
  const budgetOf = async (agentId: string) => {
    const agent = (await store.agent(agentId)) ?? refuse('unknown_agent')
    const budget = claimBudget(agent, rules.claimBudget, rules.bondSlotAtomic)
    return claimBudgetView(agent, budget, await store.activeClaims(agentId))
  }
  return {
    getClaimBudget: async ({ caller }) => ({ body: await budgetOf(caller.agent.id) }),

    async postBond({ body, caller, payment }) {
      const transfer = await postBond(world, caller, body.slots, payment)
      return {
        headers: paymentResponseHeader(transfer),
        body: {
          ok: true,
          credited_atomic: transfer.state === 'settled' ? transfer.authorization.value.toString() : '0',
          transaction: transfer.txHash,
          budget: await afterChange(budgetOf(caller.agent.id)),
        },
      }
    },

    async withdrawBond({ body, caller }) {
      const { id, authorization, state } = await withdrawBond(world, caller, BigInt(body.amount_atomic))
      return {
        body: {
          ok: true,
          withdrawal_id: id,
          amount_atomic: authorization.value.toString(),
          to: authorization.to,
          state: shownState[state],
        },
      }
    },
  }
}

const shownState: Readonly<Record<TransferState, 'pending' | 'settled' | 'failed'>> = {
  intended: 'pending',
  settled: 'settled',
  dead: 'failed',
  superseded: 'failed',
}
