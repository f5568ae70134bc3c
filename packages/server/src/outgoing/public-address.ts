import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Whether an IP address may be called: anything on the public internet, and the networks that the operator allows. */
export type MayCall = (address: string) => 'public' | 'allowed' | 'no'

/** `allowed` are networks such as `127.0.0.0/8`; a malformed one throws. */
export function createMayCall(allowed: readonly string[]): MayCall {
  const networks = allowed.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (isIP(text) === 0 || text.includes('%')) return 'no'
    // An IPv4 address inside an IPv6 one is judged as the IPv4 address.
    const address = ipaddr.process(text)
    // ::11.0.0.0 is parsed as IPv4 too, but it leads nowhere on the internet.
    if (isIPv6(text) && address.kind() === 'ipv4' && !/ffff/i.test(text)) return 'no'
    if (networks.some((network) => isIn(address, network))) return 'allowed'
    return isPublic(address) ? 'public' : 'no'
  }
}

export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text)

const isIn = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network)

/** Only 2000::/3 of IPv6 is the public internet; the ranges inside it that lead elsewhere are not `unicast` to ipaddr.js. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}
