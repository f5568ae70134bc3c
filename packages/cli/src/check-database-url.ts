import { databaseUrlProblem } from '@guildhall/server/desk'
import { PlainError } from './plain-error.ts'

export function checkDatabaseUrl(url: string): void {
  const problem = databaseUrlProblem(url)
  if (problem !== null) throw new PlainError(problem)
}
