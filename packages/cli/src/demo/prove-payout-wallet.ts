import type { Player } from './player.ts'
import type { Stage } from './stage.ts'

/** The wallet signs a text that names the agent; this moves no money. */
export async function provePayoutWallet({ narrator, network }: Stage, { client, wallet }: Player): Promise<void> {
  narrator.step('The worker proves a payout wallet')
  const { wallet_address, wallet_verified } = await client.wallet.prove(wallet, network)
  narrator.fact('wallet', wallet.address)
  const isOurs = wallet_address?.toLowerCase() === wallet.address.toLowerCase()
  narrator.check(wallet_verified && isOurs, 'the wallet on record is the one that signed')
}
