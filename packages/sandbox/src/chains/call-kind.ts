/** Whether a JSON-RPC call changes the chain (and has to be journaled) or only reads it. */
export function changesChain(method: string): boolean {
  if (/^(eth|wallet)_send/.test(method)) return true
  if (/^(anvil|hardhat)_(get|dumpState|nodeInfo|metadata)/.test(method)) return false
  return /^(anvil|hardhat|evm|tenderly)_/.test(method)
}
