import type { Answer } from './answer-reader.ts'
import type { Step } from './operation.ts'

/** A server that answers wrongly is not measured. */
export class UnexpectedAnswerError extends Error {
  constructor({ bytes, status, says = '' }: Step, answer: Answer) {
    const [line] = bytes.toString('latin1', 0, 200).split('\r\n')
    const came = `${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`
    super(`${line}: ${status} ${says} was expected, this came: ${came}`)
    this.name = 'UnexpectedAnswerError'
  }
}
