import { parseUsdc } from '@guildhall/protocol'

const COUNT = 10

export const BOUNTY_USDC = '5'
export const bountyAtomic = parseUsdc(BOUNTY_USDC) ?? 0n

export const taskText = {
  title: 'The first ten primes',
  description: 'Send the first ten prime numbers as {"primes": [...]}.',
  category: 'data',
  required_capabilities: ['arithmetic'],
} as const

/** The worker's work. */
export function findPrimes(): readonly number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < COUNT; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

/** The buyer's check before it pays. */
export function isGoodDelivery(content: string | null): boolean {
  const { primes } = JSON.parse(content ?? '{}') as { primes?: readonly number[] }
  const isPrime = (n: number) => n > 1 && Array.from({ length: n - 2 }, (_, i) => i + 2).every((d) => n % d !== 0)
  return (
    primes?.length === COUNT && new Set(primes).size === COUNT && Math.max(...primes) === 29 && primes.every(isPrime)
  )
}
