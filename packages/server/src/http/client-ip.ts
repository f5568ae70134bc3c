import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** The address of the caller: the peer, or behind trusted proxies the last hop that is not one of them. */
export function createClientIp(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return peerOf
  const trusted = blockListOf(trustedProxies)
  const isTrusted = (ip: string) => trusted.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
  return (request) => {
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
    let ip = peerOf(request)
    while (isTrusted(ip)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '')
      if (isIP(hop) === 0) break
      ip = hop
    }
    return ip
  }
}

/** What a limit counts as one caller: an IPv4 address, or an IPv6 /64 network, which one subscriber owns. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const embedded = after.at(-1)?.includes('.') ? 1 : 0
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length - embedded
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const peerOf = (request: IncomingMessage): string => plainAddress(request.socket.remoteAddress ?? '')

/** Drops the zone of a link-local address, and unwraps an IPv4-mapped IPv6 address. */
function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const zone = address.indexOf('%')
  const plain = zone === -1 ? address : address.slice(0, zone)
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain) ? plain.slice(7) : plain
}

function blockListOf(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? []
    const version = isIP(address)
    const most = version === 6 ? 128 : 32
    const prefix = bits === undefined ? most : Number(bits)
    if (version === 0 || prefix > most)
      throw new Error(`A trusted proxy is an IP address or a network such as 10.0.0.0/8, not "${proxy}".`)
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
