import type { CustodyWrites, Reader } from '@guildhall/server/parts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const watchReads = (tables: Tables, ask: Ask) =>
  ({
    watch: (network) => ask('watch', (view) => view.get(tables.watches, network)),
    watches: () => ask('watches', (view) => [...view.all(tables.watches)]),
    dueWatches: (networks, wallet, now) =>
      ask('dueWatches', (view) =>
        networks.filter((network) => {
          const watch = view.get(tables.watches, network)
          return watch !== null && watch.wallet === wallet && watch.lookAt <= now
        }),
      ),
  }) satisfies Partial<Reader>

export const watchWrites = (tables: Tables, { change }: Statements) =>
  ({
    openWatch: ({ network, wallet, asset, lookAt }) =>
      change('openWatch', [`watch ${network}`], (own) => {
        if (own.get(tables.watches, network) !== null) return
        const unknown = { firstBlock: null, proven: null, trouble: null, provenAt: null }
        const none = { difference: 0n, transactions: 0n, missed: 0, fence: 0 }
        own.put(tables.watches, network, { network, wallet, asset, lookAt, ...unknown, ...none })
      }),
    leaseWatch: (network, by, until) =>
      change('leaseWatch', [`watch ${network}`], (own) => {
        const free = own.get(tables.watches, network)
        if (free === null || free.lookAt > by) return null
        const leased = { ...free, lookAt: until, fence: free.fence + 1 }
        own.put(tables.watches, network, leased)
        return leased
      }),
    renewWatch: ({ network, fence }, over, until) =>
      change('renewWatch', [`watch ${network}`], (own) => {
        const held = own.get(tables.watches, network)
        if (held?.fence !== fence || held.lookAt <= over) return false
        own.put(tables.watches, network, { ...held, lookAt: until })
        return true
      }),
    lockWatch: (network) => change('lockWatch', [`watch ${network}`], (own) => own.get(tables.watches, network)),
    saveWatch: (watch) =>
      change('saveWatch', [`watch ${watch.network}`], (own) => {
        if (own.get(tables.watches, watch.network)?.fence !== watch.fence) return false
        own.put(tables.watches, watch.network, watch)
        return true
      }),
  }) satisfies Partial<CustodyWrites>
