import type { Movement } from './read-chain.ts'

/** Where on its chain a movement stands. */
export const placeOf = ({ txHash, logIndex }: Movement): string => `${txHash} ${logIndex}`
