export { consult, type Question } from './consult.ts'
export type { Violation } from './invariant.ts'
