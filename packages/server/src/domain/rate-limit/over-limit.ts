import { errors, type RateLimit } from '@guildhall/protocol'
import { Refusal } from '../refusal.ts'

/** Refused because of this limit: the answer names it, and not one that would have let the call pass. */
export class OverLimit extends Refusal {
  readonly limit: RateLimit
  readonly resetSeconds: number

  constructor(limit: RateLimit, resetSeconds: number, message = errors.rate_limited.message) {
    super('rate_limited', { retry_after_seconds: resetSeconds }, message)
    this.limit = limit
    this.resetSeconds = resetSeconds
  }
}
