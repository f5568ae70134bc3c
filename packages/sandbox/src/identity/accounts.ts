import { createHash } from 'node:crypto'

export type Account = { readonly id: string; readonly email: string; readonly name: string | null }

/** People are who they say they are: the same address is the same person, even after a restart. */
export function openAccounts() {
  const accounts = new Map<string, Account>()
  return {
    find: (id: string): Account | null => accounts.get(id) ?? null,
    signIn(email: string, name: string): Account {
      const address = email.trim().toLowerCase()
      const id = createHash('sha256').update(address).digest('hex').slice(0, 32)
      const account = { id, email: address, name: name.trim() === '' ? null : name.trim() }
      accounts.set(id, account)
      return account
    },
  }
}

export type Accounts = ReturnType<typeof openAccounts>
