import { errors, type RateLimit } from '@guildhall/protocol'
import { Refusal } from '../refusal.ts'

/** Refused for a limit that the caller has used up: the answer names that one, and none that would have let it pass. */
export class OverLimit extends Refusal {
  readonly limit: RateLimit
  readonly resetSeconds: number

  constructor(limit: RateLimit, resetSeconds: number, message = errors.rate_limited.message) {
    super('rate_limited', { retry_after_seconds: resetSeconds }, message)
    this.limit = limit
    this.resetSeconds = resetSeconds
  }
}
