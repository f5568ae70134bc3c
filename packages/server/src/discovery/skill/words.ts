import { formatUsdc, networkById } from '@guildhall/protocol'
import type { Published } from '../published.ts'

export const usdc = (atomic: bigint): string => `${formatUsdc(atomic)} USDC`
export const characters = ({ min, max }: { readonly min: number; readonly max: number }): string => `${min}-${max}`

/** `eip155:8453` (Base), … */
export const networkNames = ({ networks }: Pick<Published, 'networks'>): string =>
  networks.map(({ network }) => `\`${network}\` (${networkById(network)?.name ?? 'no name'})`).join(', ')
