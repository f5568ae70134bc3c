import type { Movement } from './read-chain.ts'

/** A movement's position on its chain. */
export const placeOf = ({ txHash, logIndex }: Pick<Movement, 'txHash' | 'logIndex'>): string => `${txHash} ${logIndex}`
