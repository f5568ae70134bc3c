import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

type SwitchRow = { readonly is_off: boolean; readonly reason: string | null }

export const payoutsSwitchRead = (connection: Connection) =>
  ({
    async payoutsPaused() {
      const row = await connection.first<SwitchRow>(`select is_off, reason from switches where name = 'payouts'`)
      return { paused: row?.is_off ?? true, reason: row?.reason ?? null }
    },
  }) satisfies Partial<Reader>

export const payoutsSwitchWrite = (connection: Connection) =>
  ({
    async pausePayouts(paused, reason) {
      await connection.change(`update switches set is_off = $1, reason = $2 where name = 'payouts'`, [paused, reason])
    },
  }) satisfies Partial<Transaction>
