import type { Player } from './player.ts'
import type { Stage } from './stage.ts'

const USDC = '10'

/** Play money from the sandbox's faucet: a real mint on the local chain. */
export async function fundBuyer({ narrator, network }: Stage, { client, wallet }: Player): Promise<void> {
  narrator.step('The faucet fills the buyer’s wallet')
  const { tx_hash, balance_usdc } = await client.sandbox.faucet({ address: wallet.address, network, usdc: USDC })
  narrator.fact('wallet', wallet.address)
  narrator.fact('minted', tx_hash)
  narrator.say(`It holds ${balance_usdc} USDC and no ether: the facilitator pays the gas.`)
}
