import { formatUsdc, parseUsdc } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { atomicOf, termsIn, usdcOf } from './terms.ts'

const terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '5000000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'12'.repeat(20)}`,
  maxTimeoutSeconds: 3600,
  extra: { name: 'USD Coin', version: '2' },
}
const shown = { amount: '5000000', network: 'eip155:8453' }

describe('what a 402 asks for', () => {
  test('is taken when it is exactly what the page has shown', () => {
    expect(termsIn({ accepts: [terms] }, shown)).toEqual(terms)
  })

  test.each([
    ['more', { amount: '5000001' }],
    ['less', { amount: '1' }],
    ['another network', { network: 'eip155:137' }],
  ])('is not signed when it asks for %s', (_, other) => {
    expect(() => termsIn({ accepts: [{ ...terms, ...other }] }, shown)).toThrow('Nothing was signed')
  })

  test.each([
    {},
    { accepts: [] },
    { accepts: [{ ...terms, scheme: 'upto' }] },
    { accepts: [{ ...terms, network: 'solana:x' }] },
  ])('is not signed when it cannot be: %o', (answer) => {
    expect(() => termsIn(answer, shown)).toThrow('cannot make')
  })
})

test.each(['0', '1', '100000', '123456', '1000000', '5000000', '1234567', '999999999', '1000000000'])(
  '%s atomic units read as the service writes them',
  (amount) => {
    expect(usdcOf(amount)).toBe(formatUsdc(BigInt(amount)))
    expect(atomicOf(usdcOf(amount))).toBe(amount)
  },
)

test.each(['5', '5.0', '0.10', '0.000001', '1000', '007', ' 2.5 '])('%s is read as the service reads it', (text) => {
  expect(atomicOf(text)).toBe(String(parseUsdc(text.trim().replace(/^0+(?=\d)/, ''))))
})

test.each(['', 'lots', '-1', '1.', '.5', '1,5', '1e3', '0x5', '1.0000001', '1234567890'])('%s is no amount', (text) => {
  expect(atomicOf(text)).toBeNull()
})
