/** The USDC contract of each network where a bounty may be asked for; a limit in USDC says nothing about another token. */
export const usdcContracts: Readonly<Record<string, string>> = {
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:137': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'eip155:84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}
