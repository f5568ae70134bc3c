import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsdc, parseAtomic, parseUsdc } from './usdc.ts'

describe('a decimal amount of USDC', () => {
  test('has at most six decimals', () => {
    expect(parseUsdc('0')).toBe(0n)
    expect(parseUsdc('1000')).toBe(1_000_000_000n)
    expect(parseUsdc('0.1')).toBe(100_000n)
    expect(parseUsdc('0.000001')).toBe(1n)
    expect(parseUsdc('007.50')).toBe(7_500_000n)
    expect(parseUsdc('999999999.999999')).toBe(999_999_999_999_999n)
    const bad = [
      '',
      '.',
      '.5',
      '5.',
      '0.0000001',
      '+1',
      '-1',
      ' 1',
      '1 ',
      '1e3',
      '1,5',
      '0x1',
      '１',
      '1\n',
      '1000000000',
      'NaN',
    ]
    for (const text of bad) expect(parseUsdc(text), text).toBeNull()
  })

  test('may be a JSON number, as it is written', () => {
    expect(parseUsdc(0.1)).toBe(100_000n)
    expect(parseUsdc(12.345678)).toBe(12_345_678n)
    for (const bad of [0.1 + 0.2, 1e-7, -1, 1e21, Number.NaN, Number.POSITIVE_INFINITY])
      expect(parseUsdc(bad)).toBeNull()
  })

  test('is shown with two decimals, more only where they are not zero', () => {
    const shown: [bigint, string][] = [
      [0n, '0.00'],
      [5_000_000n, '5.00'],
      [100_000n, '0.10'],
      [123_000n, '0.123'],
      [1n, '0.000001'],
      [1_000_000_000n, '1000.00'],
      [12_345_678_900_000_000n, '12345678900.00'],
      [-1_500_000n, '-1.50'],
    ]
    for (const [atomic, text] of shown) expect(formatUsdc(atomic)).toBe(text)
  })

  test('is read back as it was shown', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
        (atomic) => parseUsdc(formatUsdc(atomic)) === atomic,
      ),
    )
  })
})

test('atomic units are a decimal string of at most 15 digits', () => {
  expect(parseAtomic('0')).toBe(0n)
  expect(parseAtomic('999999999999999')).toBe(999_999_999_999_999n)
  const bad = ['', '00', '01', '-1', '+1', '1.0', '1e3', ' 1', '1\n', '0x1', '1000000000000000', '１']
  for (const text of bad) expect(parseAtomic(text), text).toBeNull()
})
