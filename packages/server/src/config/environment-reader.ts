import { formatUsdc, parseUsdc } from '@guildhall/protocol'

export type Environment = Readonly<Record<string, string | undefined>>
export type EnvironmentReader = ReturnType<typeof environmentReader>

const OWN = 'GUILDHALL_'

/** Reads one setting at a time and adds what is wrong with it to `problems`; an empty value counts as not set. */
export function environmentReader(environment: Environment, problems: string[]) {
  const asked = new Set<string>()
  const ignored: string[] = []
  const text = (name: string, fallback: string) => {
    asked.add(name)
    return environment[name] || fallback
  }
  return {
    text,
    /** Notes a part of a setting that means nothing. */
    ignore: (part: string): void => void ignored.push(part),
    /** Names of ours that are set and that nothing has asked for so far, and parts that mean nothing. */
    unread: (): readonly string[] => [
      ...Object.keys(environment).filter((name) => name.startsWith(OWN) && !asked.has(name) && environment[name]),
      ...ignored,
    ],
    required(name: string, what: string): string {
      const value = text(name, '')
      if (value === '') problems.push(`${name} is missing: ${what}.`)
      return value
    },
    list: (name: string, fallback = ''): readonly string[] =>
      text(name, fallback)
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = text(name, fallback)
      const found = values.find((known) => known === value)
      if (found === undefined) problems.push(`${name} is '${value}', but it can only be ${values.join(' or ')}.`)
      return found ?? fallback
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name, String(fallback))
      const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      problems.push(`${name} is '${value}', but a whole number from ${min} to ${max} is needed.`)
      return fallback
    },
    usdc(name: string, fallback: bigint, max: bigint | null = null): bigint {
      const value = text(name, '')
      if (value === '') return fallback
      const amount = parseUsdc(value)
      if (amount !== null && amount > 0n && (max === null || amount <= max)) return amount
      const most = max === null ? '' : ` up to ${formatUsdc(max)}`
      problems.push(`${name} is '${value}', but an amount of USDC${most} is needed.`)
      return fallback
    },
  }
}
