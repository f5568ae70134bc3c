import { InMemoryPendingSettlementStore, type PendingSettlementStore } from '@x402/core/facilitator'
import { TransactionNotFoundError } from 'viem'
import type { ChainClient } from './chain-client.ts'

/**
 * The transactions that are still waited for. One that the node has dropped is forgotten, so that the payment is sent again
 * instead of waited for forever.
 */
export function createPendingSettlements(client: Pick<ChainClient, 'getTransaction'>): PendingSettlementStore {
  const store = new InMemoryPendingSettlementStore()
  const isDropped = (hash: `0x${string}`) =>
    client.getTransaction({ hash }).then(
      () => false,
      (error) => error instanceof TransactionNotFoundError,
    )
  return {
    async get(key) {
      const hash = await store.get(key)
      if (hash === undefined || (await isDropped(hash as `0x${string}`))) return undefined
      return hash
    },
    set: (key, hash) => store.set(key, hash),
    delete: (key) => store.delete(key),
  }
}
