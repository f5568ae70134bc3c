import type { Movement } from './read-chain.ts'

export type Place = Pick<Movement, 'txHash' | 'logIndex'>

/** A movement's position on its chain. */
export const placeOf = ({ txHash, logIndex }: Place): string => `${txHash} ${logIndex}`
