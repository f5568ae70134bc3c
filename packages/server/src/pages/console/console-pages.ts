import { type Page, sentByOwner, shownToOwner } from '../../http/page.ts'
import type { SandboxPlaces } from '../../ports/sandbox-control.ts'
import type { World } from '../../ports/world.ts'
import { letGoOfAgent, showAgents, showCode } from './agents.ts'
import { postNewTask, showNewTask } from './new-task.ts'
import { showOverview } from './overview.ts'
import { payNetworks } from './pay-networks.ts'
import { DEEDS, doToTask, showTask } from './task.ts'
import { testingPages } from './testing.ts'
import { walletScripts } from './wallet-scripts.ts'

/** The pages on which people post tasks and decide on what is delivered. */
export function consolePages(world: World, chains: SandboxPlaces['networks'] | null): readonly Page[] {
  const networks = payNetworks(world, chains)
  const money = { networks, sandbox: chains !== null }
  return [
    ...walletScripts(),
    ...testingPages(world),
    shownToOwner('/console', (context) => showOverview(world, context)),
    shownToOwner('/console/agents', (context) => showAgents(world, context)),
    sentByOwner('/console/agents/codes', (context) => showCode(world, context)),
    sentByOwner('/console/agents/unlink', (context) => letGoOfAgent(world, context)),
    shownToOwner('/console/tasks/new', (context) => showNewTask(world, networks, context)),
    sentByOwner('/console/tasks', (context) => postNewTask(world, networks, context)),
    shownToOwner('/console/tasks/{id}', (context) => showTask(world, money, context)),
    ...Object.entries(DEEDS).map(([name, deed]) =>
      sentByOwner(`/console/tasks/{id}/${name}`, (context) => doToTask(world, money, context, { name, deed })),
    ),
  ]
}
