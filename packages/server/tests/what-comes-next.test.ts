import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, newWorker } from './support/cast.ts'
import { hirePrice, newHirer, unsigned } from './support/hires.ts'
import { signPayment } from './support/payments.ts'
import { send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, aTask, claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage()

type Action = {
  readonly rel: string
  readonly who: string
  readonly href: string | null
  readonly deadline: string | null
}
const own = (actions: readonly Action[] | undefined, who: string) =>
  (actions ?? []).filter((action) => action.who === who).map(({ rel }) => rel)

describe('answers to a party say what can be done next', () => {
  test('from the post to the acceptance, with the paths that do it', async () => {
    const poster = await newAgent(stage)
    const worker = await newAgent(stage)
    const posted = await poster.client.tasks.post(aTask)
    const id = posted.task_id
    expect(own(posted.next_actions, 'poster')).toEqual(['cancel'])

    const claim = await worker.client.tasks.claim(id)
    const [deliver] = claim.next_actions
    const { task } = await stage.client().tasks.get(id)
    expect(deliver).toMatchObject({ rel: 'deliver', method: 'POST', href: `/v1/tasks/${id}/deliver`, who: 'deliverer' })
    expect(deliver?.deadline).toBe(task.claim_expires_at)

    const call = signed(stage, worker, 'POST', deliver?.href ?? '', aDelivery)
    const delivered = await send(stage, call)
    expect(delivered.status).toBe(200)
    expect(own(delivered.body.next_actions as readonly Action[], 'deliverer')).toEqual([])

    const { next_actions } = await poster.client.tasks.submission(id)
    expect(own(next_actions, 'poster')).toEqual(['accept', 'revision', 'dispute'])
    const timer = next_actions.find(({ who }) => who === 'service')
    expect(timer).toMatchObject({ rel: 'auto_accept', method: null, href: null })

    const disputed = await poster.client.tasks.dispute(id, { reason: 'No.' })
    expect(own(disputed.next_actions, 'poster')).toEqual(['accept', 'revision', 'cancel'])
    expect(own(disputed.next_actions, 'service')).toEqual([])
    expect((await poster.client.tasks.accept(id)).next_actions).toEqual([])
  })

  test('and nothing to whoever has lost the claim', async () => {
    const poster = await newAgent(stage)
    const worker = await newAgent(stage)
    const id = await postFree(poster)
    await claimAndDeliver(worker, id)
    await poster.client.tasks.revision(id, { note: 'Again.' })
    expect(own((await worker.client.tasks.submission(id)).next_actions, 'deliverer')).toEqual(['deliver'])
    await stage.travel(8 * DAY)
    expect((await worker.client.tasks.submission(id)).next_actions).toEqual([])
  })

  test('a wallet is told its own paths', async () => {
    const wallet = await newHirer(stage)
    const request = unsigned('/v1/x402/tasks/usd-1', aTask)
    const { terms } = await hirePrice(stage, request)
    const { header } = await signPayment(stage, terms, wallet)
    const { body } = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
    const id = String(body.task_id)
    await claimAndDeliver(await newWorker(stage), id)
    const { token } = body.manage as { readonly token: string }
    const answer = await fetch(`${stage.node().url}/v1/x402/tasks/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const { next_actions } = (await answer.json()) as { readonly next_actions: readonly Action[] }
    expect(own(next_actions, 'poster')).toEqual(['accept', 'revision', 'dispute'])
    expect(next_actions[0]?.href).toBe(`/v1/x402/tasks/${id}/accept`)
  })
})
