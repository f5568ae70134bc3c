import { expect, test } from 'vitest'
import { newBuyer, newWorker, type Player } from './support/cast.ts'
import { mineElsewhere, timesPaid } from './support/chain-calls.ts'
import { setStage } from './support/stage.ts'
import { aBounty, deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

/** Money counts after one block, and is watched for long after that. */
const stage = setStage({ depths: { confirmations: 1, finality: 1, reorg_depth: 32 } })
const task = async (id: string) => (await stage.client().tasks.get(id)).task
type Task = Awaited<ReturnType<typeof task>>

type Payment = {
  readonly name: string
  /** Makes the payment, and gives its task. */
  make(buyer: Player, worker: Player): Promise<string>
  hashIn(task: Task): string | null | undefined
  readonly inFeed: boolean
}

const payments: readonly Payment[] = [
  {
    name: 'a deposit',
    make: (buyer) => postEscrowed(buyer),
    hashIn: ({ escrow }) => escrow?.deposit_tx_hash,
    inFeed: false,
  },
  {
    name: 'a release',
    async make(buyer, worker) {
      const id = await deliveredTask(buyer, worker)
      await buyer.client.tasks.accept(id)
      return id
    },
    hashIn: ({ escrow }) => escrow?.release_tx_hash,
    inFeed: true,
  },
  {
    name: 'a refund',
    async make(buyer) {
      const id = await postEscrowed(buyer)
      await buyer.client.tasks.cancel(id)
      return id
    },
    hashIn: ({ escrow }) => escrow?.refund_tx_hash,
    inFeed: false,
  },
  {
    name: 'a bounty paid at acceptance',
    async make(buyer, worker) {
      const id = await deliveredTask(buyer, worker, { bounty: aBounty(), escrow: false })
      await buyer.client.tasks.accept(id)
      return id
    },
    hashIn: ({ payment_tx_hash }) => payment_tx_hash,
    inFeed: true,
  },
]

test.each(payments)(
  '$name that the chain mines again in another transaction is shown with that one',
  async ({ make, hashIn, inFeed }) => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await make(buyer, worker)
    const first = hashIn(
      await until(
        () => task(id),
        (now) => Boolean(hashIn(now)),
      ),
    )
    const second = await mineElsewhere(stage.chain(), String(first))
    expect(second).not.toBe(first)
    await stage.travel(60_000)
    const shown = await task(id)
    expect(hashIn(shown)).toBe(second)
    const { events } = await stage.client().tasks.payment(id)
    expect(events.map(({ event_type }) => event_type)).not.toContain('settlement_undone')
    const { tasks } = await stage.client().tasks.settled({ limit: 50 })
    const row = tasks.find(({ task_id }) => task_id === id)
    expect(row?.tx_hash).toBe(inFeed ? second : undefined)
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await stage.askOracle()).toEqual([])
  },
)
