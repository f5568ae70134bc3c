import { pino } from 'pino'
import type { Settings } from './config/settings.ts'
import { createLineWriter } from './line-writer.ts'
import type { Log } from './ports/log.ts'

/**
 * JSON lines on standard output. Fields that are named like secrets are redacted, whoever passes them. Warnings and alarms are
 * written at once.
 */
export function createLog(level: Settings['logLevel']): Log {
  const output = createLineWriter(1)
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  )
  return {
    info: (message, fields = {}) => log.info(withoutSecrets(fields), message),
    warn(message, fields = {}) {
      log.warn(withoutSecrets(fields), message)
      output.writeNow()
    },
    alarm(message, fields = {}) {
      log.error({ ...withoutSecrets(fields), alarm: true }, message)
      output.writeNow()
    },
  }
}

const SECRET_NAMES: ReadonlySet<string> = new Set([
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
])
/** Secrets are looked for in the fields and one level below. */
const DEPTH = 2

type Fields = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nearly always there is nothing to redact, and the fields are returned as they are. */
const withoutSecrets = (fields: Fields): Fields => (holdsSecret(fields, DEPTH) ? redacted(fields, DEPTH) : fields)

function holdsSecret(fields: Fields, depth: number): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (SECRET_NAMES.has(name) || (depth > 1 && isPlain(value) && holdsSecret(value, depth - 1))) return true
  }
  return false
}

const redacted = (fields: Fields, depth: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_NAMES.has(name) ? '[redacted]' : depth > 1 && isPlain(value) ? redacted(value, depth - 1) : value,
    ]),
  )
