export { readTables } from './books/read-books.ts'
export { type Circumstances, consult, judge, type Question } from './consult.ts'
export type { Violation } from './invariant.ts'
