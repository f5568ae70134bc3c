import type { Transaction } from '@guildhall/server/parts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const usedOnceWrites = (tables: Tables, { change }: Statements) =>
  ({
    burnSignature(hash, expiresAt) {
      const key = Buffer.from(hash).toString('hex')
      return change('burnSignature', [`signature ${key}`], (own) => {
        if (own.get(tables.signatures, key) !== null) return false
        own.put(tables.signatures, key, expiresAt)
        return true
      })
    },
    burnWalletNonce: (purpose, nonce, at) =>
      change('burnWalletNonce', [`nonce ${purpose} ${nonce}`], (own) => {
        if (own.get(tables.walletNonces, `${purpose} ${nonce}`) !== null) return false
        own.put(tables.walletNonces, `${purpose} ${nonce}`, at)
        return true
      }),
  }) satisfies Partial<Transaction>
