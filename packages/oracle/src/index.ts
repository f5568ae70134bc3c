export { type Books, readTables } from './books/read-books.ts'
export type { ChainView } from './chain/read-chain.ts'
export { consult, judge, weigh } from './consult.ts'
export type { Violation } from './invariant.ts'
