import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm'
import { oneAtATime } from '../chains/one-at-a-time.ts'
import type { ChainClient } from './chain-client.ts'
import { noteNodeFailure, settlingCall } from './settling-call.ts'

const CONFIRMATION_TIMEOUT_MS = 15_000

/** Enough to enter the token's transfer and too little to finish it. */
const STARVED_GAS = 45_000n

/** The official package's signer for one network. */
export function createChainSigner(client: ChainClient): FacilitatorEvmSigner {
  const { address } = client.account
  const sendInTurn = oneAtATime()

  // The node's own pending count is the only record of nonces: nothing can fall out of step after a reorg or a restart.
  const withNonce = <T>(send: (nonce: number) => Promise<T>) =>
    sendInTurn(async () => send(await client.getTransactionCount({ address, blockTag: 'pending' })))

  return toFacilitatorEvmSigner(
    {
      address,
      // A rejection here would reach nobody when the package gives up early, and would end the process.
      getCode: (args) => client.getCode(args).catch((): undefined => noteNodeFailure()),
      readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
      verifyTypedData: (args) => client.verifyTypedData(args as never),
      writeContract: (args) =>
        withNonce((nonce) =>
          client.writeContract({ ...args, nonce, ...(settlingCall.getStore()?.starvedOfGas && { gas: STARVED_GAS }) }),
        ),
      sendTransaction: (args) => withNonce((nonce) => client.sendTransaction({ ...args, nonce })),
      waitForTransactionReceipt: (args) => client.waitForTransactionReceipt({ ...args, checkReplacement: false }),
    },
    { confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS },
  )
}
