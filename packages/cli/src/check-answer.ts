import { PlainError } from './plain-error.ts'

/** The SDK takes any JSON object for an answer, and what listens at a wrong address may well send one. */
export function checkAnswer(isAnswer: boolean): void {
  if (!isAnswer) throw new PlainError('What answers at this address is not a Guildhall service.')
}
