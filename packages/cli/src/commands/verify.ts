import { clientAt } from '../client-at.ts'
import { createNarrator, type Narrator } from '../demo/narrator.ts'
import { verifyChain } from '../verify/verify-chain.ts'
import { verifyReceipts } from '../verify/verify-receipt.ts'

type Place = { readonly url: string; readonly key?: string | undefined }

/** Checks the whole ledger of a service from its public answers alone. */
export const verifyLedger = ({ url, key }: Place): Promise<void> =>
  telling(`The ledger of ${url}`, async (narrator) => {
    await verifyChain(clientAt(url), narrator, key)
    return 'The ledger holds.'
  })

/** Checks the receipts of a task from public answers alone. */
export const verifyTaskReceipts = (taskId: string, { url, key }: Place): Promise<void> =>
  telling(`The deliveries of ${taskId} at ${url}`, async (narrator) =>
    (await verifyReceipts(clientAt(url), taskId, narrator, key)) > 0
      ? 'The receipts hold.'
      : 'Nothing has been delivered for this task yet: there is no receipt to check.',
  )

/** The check gives the verdict, or throws. */
async function telling(title: string, check: (narrator: Narrator) => Promise<string>): Promise<void> {
  const narrator = createNarrator(process.stdout)
  narrator.title(title)
  narrator.title(`\n${await check(narrator)}`)
}
