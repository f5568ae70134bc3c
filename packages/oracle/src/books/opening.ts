/** The hash under which the balance from before the watch is on record; it is no transaction's. */
export const OPENING = `0x${'0'.repeat(64)}`
