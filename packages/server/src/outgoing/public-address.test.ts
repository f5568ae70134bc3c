import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMayCall } from './public-address.ts'

const mayCall = createMayCall([])

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::8b',
  '::ffff:8.8.8.8',
])('%s is on the public internet', (address) => {
  expect(mayCall(address)).toBe('public')
})

describe('refused', () => {
  test.each([
    ['this network', '0.0.0.0', '0.1.2.3'],
    ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['link-local and cloud metadata', '169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254'],
    ['unique local', 'fc00::1', 'fd12:3456:789a::1'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    ['reserved and documentation', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '240.0.0.1'],
    ['reserved and documentation of IPv6', '::', '2001:db8::1', '100::1', 'fec0::1', '4000::1'],
    ['IPv4 in the clothes of IPv6', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ['ways around', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1'],
    ['nonsense', '', 'localhost', '1.2.3', '127.1', '0x7f.1', '1.2.3.4.5', '::1%lo', 'fe80::1%eth0'],
  ])('%s', (_, ...addresses) => {
    for (const address of addresses) expect([address, mayCall(address)]).toEqual([address, 'no'])
  })
})

test('networks that are allowed in addition are allowed in every notation, and no others', () => {
  const sandbox = createMayCall(['127.0.0.0/8', '::1/128'])
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(sandbox(address)).toBe('allowed')
  for (const address of ['10.0.0.1', '169.254.169.254', '::2', '0.0.0.0']) expect(sandbox(address)).toBe('no')
  expect(() => createMayCall(['127.0.0.1'])).toThrow()
})

describe('for any address', () => {
  /** The special-purpose registry of IANA, as far as nothing public lies in it. */
  const SPECIAL: readonly (readonly [network: number, bits: number])[] = (
    [
      [0, 0, 8],
      [10, 0, 8],
      [100, 64, 10],
      [127, 0, 8],
      [169, 254, 16],
      [172, 16, 12],
      [192, 168, 16],
      [198, 18, 15],
      [224, 0, 3],
    ] as const
  ).map(([first, second, bits]) => [(first * 256 + second) * 65_536, bits])
  const numberOf = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const isSpecial = (ip: string): boolean =>
    SPECIAL.some(
      ([network, bits]) => Math.floor(numberOf(ip) / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits)),
    )

  test('what is private as IPv4 is refused, and so is every IPv6 form of it', () => {
    const anywhere = fc.oneof(
      fc.ipV4(),
      fc.nat(2 ** 24 - 1).map((low) => `10.${low >> 16}.${(low >> 8) & 255}.${low & 255}`),
    )
    fc.assert(
      fc.property(anywhere, (ip) => {
        if (isSpecial(ip)) for (const form of [ip, `::ffff:${ip}`]) expect([form, mayCall(form)]).toEqual([form, 'no'])
        for (const form of [`64:ff9b::${ip}`, `::${ip}`, `::ffff:0:${ip}`])
          expect([form, mayCall(form)]).toEqual([form, 'no'])
        expect(mayCall(`::ffff:${ip}`)).toBe(mayCall(ip))
      }),
    )
  })

  test('any text has a verdict, and of IPv6 only 2000::/3 is public', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        const verdict = mayCall(text)
        expect(['public', 'no']).toContain(verdict)
        if (verdict === 'public' && text.includes(':') && !/ffff/i.test(text))
          expect(text).toMatch(/^[23][0-9a-f]{3}:/i)
      }),
    )
  })
})
