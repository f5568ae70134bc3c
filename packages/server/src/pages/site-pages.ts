import { formatUsdc } from '@guildhall/protocol'
import { createPages } from '@guildhall/web'
import type { Page } from '../http/page.ts'
import type { World } from '../ports/world.ts'

/** What pages may know of the service that they belong to. */
export type SiteContext = { readonly world: World; readonly mailUrl: string | null }

/** The pages for people, with the numbers that the first page shows. */
export const sitePages = ({ world, mailUrl }: SiteContext): readonly Page[] =>
  createPages({
    serviceName: world.rules.serviceName,
    baseUrl: world.rules.baseUrl,
    sandbox: mailUrl !== null,
    mailUrl: mailUrl ?? undefined,
    counts: async () => {
      const [{ agents, tasks, paid, paidAtomic }, head] = await Promise.all([
        world.store.statusCounts(),
        world.store.ledgerHead(),
      ])
      return {
        agents: agents.total,
        openTasks: tasks.open,
        paidTasks: paid,
        paidUsdc: formatUsdc(paidAtomic),
        ledgerEntries: head?.sequence ?? 0,
      }
    },
  })
