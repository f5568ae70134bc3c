import { isoTime } from '../domain/instant.ts'
import type { Challenge } from '../ports/agent-store.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { inColumns, type RowStatement, rowsFrom } from './row-statement.ts'

const burnSignature: RowStatement = {
  one: 'insert into burnt_signatures (hash, expires_at) values ($1, $2) on conflict do nothing returning hash',
  many: `
insert into burnt_signatures (hash, expires_at)
select hash, expires_at from ${rowsFrom({ hash: 'bytea', expires_at: 'timestamptz' })}
on conflict do nothing returning hash`,
  pack: inColumns,
  key: ([hash]) => (hash as Buffer).toString('hex'),
}
const burnWalletNonce =
  'insert into burnt_wallet_nonces (purpose, nonce, used_at) values ($1, $2, $3) on conflict do nothing'

/** One per key: the newest replaces all others. */
const saveChallenge = `
insert into challenges (public_key, id, text, difficulty, expires_at) values ($1, $2, $3, $4, $5)
on conflict (public_key) do update
set id = excluded.id, text = excluded.text, difficulty = excluded.difficulty, expires_at = excluded.expires_at`

const takeChallenge = 'delete from challenges where id = $1 returning public_key, text, difficulty, expires_at'

type ChallengeRow = {
  readonly public_key: string
  readonly text: string
  readonly difficulty: number
  readonly expires_at: number
}

/** Values that count once: an insert that finds its key taken came too late; it waits for a rival that has not committed yet. */
export const usedOnceWrites = (connection: Connection) =>
  ({
    async burnSignature(hash, expiresAt) {
      const burnt = await connection.askRow<{ hash: Buffer }>(burnSignature, [hash, isoTime(expiresAt)])
      return burnt.some((row) => row.hash.equals(hash))
    },
    burnWalletNonce: async (purpose, nonce, at) =>
      (await connection.change(burnWalletNonce, [purpose, nonce, isoTime(at)])) === 1,
    async saveChallenge({ id, publicKey, text, difficulty, expiresAt }: Challenge) {
      await connection.change(saveChallenge, [publicKey, id, text, difficulty, isoTime(expiresAt)])
    },
    async takeChallenge(id) {
      const row = await connection.first<ChallengeRow>(takeChallenge, [id])
      if (row === null) return null
      const { public_key: publicKey, text, difficulty, expires_at: expiresAt } = row
      return { id, publicKey, text, difficulty, expiresAt }
    },
  }) satisfies Partial<Transaction>
