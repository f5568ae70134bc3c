import { refuse } from '../refusal.ts'

/** A cursor is the inbox position up to which everything was seen; inbox, stream and webhook share it. */
export const positionOf = (cursor: string, path: string): number =>
  /^(0|[1-9]\d{0,14})$/.test(cursor)
    ? Number(cursor)
    : refuse('invalid_cursor', { issues: [{ path, message: UNKNOWN }] })

const UNKNOWN = 'Send a cursor as this service gave it out.'
