import type { Desk } from '@guildhall/server/desk'
import type { Format } from '../json-option.ts'
import { atDesk, registryKey } from './at-desk.ts'

export type StatusOptions = Format & { readonly reason?: string }
type Changed = Awaited<ReturnType<Desk['suspendAgent']>>

/** The agent is told, and can no longer post, claim or verify. */
export const suspendAgent = (idOrName: string, { reason, json }: StatusOptions): Promise<void> =>
  change(json, isNow, (desk) => desk.suspendAgent(idOrName, reason ?? null))

/** The agent is told, and gets back its former status. */
export const reinstateAgent = (idOrName: string, { reason, json }: StatusOptions): Promise<void> =>
  change(json, isNow, (desk) => desk.reinstateAgent(idOrName, reason ?? null))

/** The house passes the agent: trust starts with the agents that it has passed. */
export const vouchForAgent = (idOrName: string, { json }: Format): Promise<void> =>
  change(
    json,
    () => 'is vouched for',
    async (desk) => desk.vouchForAgent(idOrName, await registryKey()),
  )

const isNow = ({ status }: Changed): string => `is ${status}`

const change = (
  json: boolean | undefined,
  outcome: (agent: Changed) => string,
  work: (desk: Desk) => Promise<Changed>,
): Promise<void> =>
  atDesk(async (desk) => {
    const agent = await work(desk)
    const { id, status, profile } = agent
    const row = { agent_id: id, name: profile.name, status }
    console.log(json ? JSON.stringify(row) : `${profile.name} (${id}) ${outcome(agent)}.`)
  })
