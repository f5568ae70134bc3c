import { pino } from 'pino'
import type { Settings } from './config/settings.ts'
import type { Log } from './ports/log.ts'

/** Structured lines on standard output. Values that look like secrets never get there, whatever their caller meant. */
export function createLog(level: Settings['logLevel']): Log {
  const log = pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS, censor: '[redacted]' },
  })
  return {
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    alarm: (message, fields) => log.error({ ...fields, alarm: true }, message),
  }
}

const SECRET_NAMES = [
  'authorization',
  'signature',
  'privateKey',
  'secretKey',
  'secret',
  'token',
  'password',
  'payment',
  'key',
  'databaseUrl',
]
const SECRET_FIELDS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`])
