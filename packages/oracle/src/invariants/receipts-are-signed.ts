import { verifyReceiptSignature } from '@guildhall/protocol'
import { signedReceipt } from '../books/signed-receipt.ts'
import type { Invariant } from '../invariant.ts'

/** I4: every receipt has the signature of the agent that delivered. */
export const receiptsAreSigned: Invariant = {
  name: 'I4 receipts are signed',
  *broken({ books }) {
    for (const row of books.receipts) {
      if (!verifyReceiptSignature(signedReceipt(row))) yield `receipt ${row.id} is not signed by its agent`
    }
  },
}
