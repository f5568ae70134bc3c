import { afterAll, beforeAll } from 'vitest'
import { type LyingFacilitator, lyingFacilitator } from './lying-facilitator.ts'
import { networksOf } from './node-environment.ts'
import { type Stage, setStage } from './stage.ts'

const depths = { confirmations: 1, finality: 1 }
const settings = { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '400' }

/** A stage with one node, whose facilitator lies when it is told to. */
export function setFacilitatorStage(): { readonly stage: Stage; facilitator(): LyingFacilitator } {
  const stage = setStage({ nodes: 0, depths, settings })
  let facilitator: LyingFacilitator
  beforeAll(async () => {
    facilitator = await lyingFacilitator(stage.parts.facilitatorUrl)
    const networks = networksOf(stage.parts, depths).map((one) => ({ ...one, facilitator_url: facilitator.url }))
    await stage.startNode({ GUILDHALL_NETWORKS: JSON.stringify(networks) })
  })
  afterAll(() => facilitator.close())
  return { stage, facilitator: () => facilitator }
}
