import type { Movement } from './read-chain.ts'

/** A movement's position on its chain. */
export const placeOf = ({ txHash, logIndex }: Movement): string => `${txHash} ${logIndex}`
