import { formatUsdc } from '@guildhall/protocol'
import type { Page, SiteContext } from '@guildhall/server'
import { createPages } from '@guildhall/web'

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
