/** The networks of agents' bounties; a wallet hires on the first two. */
export const NETWORKS = ['eip155:8453', 'eip155:137', 'eip155:5042'] as const
export const HIRE_NETWORKS = ['eip155:8453', 'eip155:137'] as const
