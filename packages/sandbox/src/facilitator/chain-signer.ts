import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm'
import type { ChainClient } from './chain-client.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { noteUnreachable, settlingCall } from './settling-call.ts'

const confirmationTimeoutMs = 15_000

/** Enough to enter the token's transfer and too little to finish it. */
const starvedGas = 45_000n

/**
 * The official package's signer for one network. It notes every connection failure in the current call, so that an
 * unreachable node is never reported as a bad signature.
 */
export function createChainSigner(client: ChainClient): FacilitatorEvmSigner {
  const { address } = client.account
  const sendInTurn = oneAtATime()

  // The node's own pending count is the only record of nonces: nothing can fall out of step after a reorg or a restart.
  const withNonce = <T>(send: (nonce: number) => Promise<T>) =>
    sendInTurn(async () => send(await client.getTransactionCount({ address, blockTag: 'pending' }))).catch(rethrowNoted)

  return toFacilitatorEvmSigner(
    {
      address,
      // A rejection here would reach nobody when the package gives up early, and would end the process.
      getCode: (args) => client.getCode(args).catch((error) => void noteUnreachable(error)),
      readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }).catch(rethrowNoted),
      verifyTypedData: (args) => client.verifyTypedData(args as never).catch(rethrowNoted),
      writeContract: (args) =>
        withNonce((nonce) =>
          client.writeContract({ ...args, nonce, ...(settlingCall.getStore()?.starvedOfGas && { gas: starvedGas }) }),
        ),
      sendTransaction: (args) => withNonce((nonce) => client.sendTransaction({ ...args, nonce })),
      waitForTransactionReceipt: (args) =>
        client.waitForTransactionReceipt({ ...args, checkReplacement: false }).catch(rethrowNoted),
    },
    { confirmationTimeoutMs },
  )
}

function rethrowNoted(error: unknown): never {
  throw noteUnreachable(error)
}
