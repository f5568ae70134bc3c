export { type Books, readTables } from './books/read-books.ts'
export type { ChainView } from './chain/read-chain.ts'
export { type Circumstances, consult, judge, type Question, weigh } from './consult.ts'
export type { Violation } from './invariant.ts'
