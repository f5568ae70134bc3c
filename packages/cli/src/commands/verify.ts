import { clientAt } from '../client-at.ts'
import { createNarrator, type Narrator } from '../demo/narrator.ts'
import { verifyChain } from '../verify/verify-chain.ts'
import { verifyReceipts } from '../verify/verify-receipt.ts'

type Place = { readonly url: string; readonly key?: string | undefined }

/** Checks the whole ledger of a service from its public answers alone. */
export const verifyLedger = ({ url, key }: Place): Promise<void> =>
  telling(`The ledger of ${url}`, 'The ledger holds.', (narrator) => verifyChain(clientAt(url), narrator, key))

/** Checks the receipts of a task from public answers alone. */
export const verifyTaskReceipts = (taskId: string, { url }: Place): Promise<void> =>
  telling(`The deliveries of ${taskId} at ${url}`, 'The receipts hold.', (narrator) =>
    verifyReceipts(clientAt(url), taskId, narrator),
  )

async function telling(title: string, verdict: string, check: (narrator: Narrator) => Promise<void>): Promise<void> {
  const narrator = createNarrator(process.stdout)
  narrator.title(title)
  await check(narrator)
  narrator.title(`\n${verdict}`)
}
