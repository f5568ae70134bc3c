import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { createClientIp, networkOf } from './client-ip.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

describe('the address of the caller', () => {
  test('X-Forwarded-For is ignored unless the peer is a trusted proxy', () => {
    expect(createClientIp([])(request('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7')
    expect(createClientIp(['10.0.0.0/8'])(request('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7')
  })

  test('behind trusted proxies it is the rightmost hop that is not one of them', () => {
    const clientIp = createClientIp(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
    expect(clientIp(request('10.1.2.3', '198.51.100.1'))).toBe('198.51.100.1')
    expect(clientIp(request('10.1.2.3', '6.6.6.6, 198.51.100.1'))).toBe('198.51.100.1')
    expect(clientIp(request('10.1.2.3', '6.6.6.6, 198.51.100.1, 192.0.2.1,10.9.9.9'))).toBe('198.51.100.1')
    expect(clientIp(request('::ffff:10.1.2.3', '2001:db8::1'))).toBe('2001:db8::1')
    expect(clientIp(request('fd00::1', '::ffff:198.51.100.1'))).toBe('198.51.100.1')
  })

  test('what is no address is not believed: the nearest known hop counts', () => {
    const clientIp = createClientIp(['10.0.0.0/8'])
    for (const forwarded of [undefined, '', 'unknown', '198.51.100.1, evil', '1.2.3.4:80', '<script>'])
      expect(clientIp(request('10.1.2.3', forwarded))).toBe('10.1.2.3')
    expect(clientIp(request('10.1.2.3', '10.7.7.7'))).toBe('10.7.7.7')
  })

  test('a setting that is no address or network is refused at the start', () => {
    for (const setting of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8x', '::/129'])
      expect(() => createClientIp([setting])).toThrow('trusted proxy')
  })
})

describe('what a limit counts as one caller', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})

describe('for any address', () => {
  test('every spelling of an IPv6 address counts alike, and so does its whole network of 64 bits', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const [first, second] = [ipaddr.parse(one).toByteArray(), ipaddr.parse(other).toByteArray()]
        const full = (bytes: readonly number[]) => ipaddr.fromByteArray([...bytes]).toNormalizedString()
        expect(networkOf(full(first).toUpperCase())).toBe(networkOf(one))
        expect(networkOf(full([...first.slice(0, 8), ...second.slice(8)]))).toBe(networkOf(one))
        expect(networkOf(one) === networkOf(other)).toBe(first.slice(0, 8).join() === second.slice(0, 8).join())
      }),
    )
  })

  test('whatever X-Forwarded-For says, it is an address, and the peer’s own where no proxy is trusted', () => {
    const hops = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 4 }).map((all) => all.join(', '))
    fc.assert(
      fc.property(hops, fc.ipV4(), (forwarded, peer) => {
        expect(createClientIp([])(request(peer, forwarded))).toBe(peer)
        expect(ipaddr.isValid(createClientIp(['0.0.0.0/1'])(request(peer, forwarded)))).toBe(true)
      }),
    )
  })
})
