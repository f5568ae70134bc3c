import { type Books, readBooks } from './books/read-books.ts'
import { judge } from './consult.ts'
import { readQuestion } from './read-question.ts'

const BROKEN = 6
const WRONG_SETTINGS = 2
const NOT_JUDGED = 1

/** Reads a node's settings and checks its books: exit code 0 when they hold, 6 when they do not. */
async function main(): Promise<number> {
  const question = readQuestion(process.env)
  if ('problem' in question) return say(question.problem, WRONG_SETTINGS)
  const books = await readBooks(question.databaseUrl)
  const given = new Set(question.networks.map(({ network }) => network))
  const left = networksIn(books).filter((network) => !given.has(network))
  if (left.length > 0) {
    const networks = left.length === 1 ? `${left}, which is` : `${left.join(', ')}, which are`
    const what = `The books have payments on ${networks} not in GUILDHALL_NETWORKS: without it nothing is proven.`
    return say(what, WRONG_SETTINGS)
  }
  const violations = await judge(books, question)
  for (const { invariant, what } of violations) console.log(`${invariant}: ${what}`)
  console.log(violations.length === 0 ? 'The books hold.' : `The books do not hold: ${violations.length} violations.`)
  return violations.length === 0 ? 0 : BROKEN
}

const networksIn = ({ transfers, movements }: Books): readonly string[] =>
  [...new Set([...transfers, ...movements].map(({ network }) => network))].toSorted()

function say(sentence: string, code: number): number {
  console.error(sentence)
  return code
}

process.exitCode = await main().catch((error: unknown) =>
  say(`Nothing could be judged: ${error instanceof Error ? error.message : error}`, NOT_JUDGED),
)
