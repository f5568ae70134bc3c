import { agent, registry, stranger } from './keys.ts'

/** Found by search, written down so that printing takes no time. */
const solutions = [
  { key: agent, nonce: '00003000', zeroBits: 13 },
  { key: stranger, nonce: '00005438', zeroBits: 17 },
  { key: registry, nonce: '006bc91b', zeroBits: 22 },
]

export function proofOfWorkVectors() {
  const cases = solutions.flatMap(({ key, nonce, zeroBits }) => [
    attempt('exactly enough', key, nonce, zeroBits, true),
    attempt('more than enough', key, nonce, zeroBits - 1, true),
    attempt('a bit too few', key, nonce, zeroBits + 1, false),
  ])
  const bent = [
    attempt('the solution of another key', stranger, '00003000', 12, false),
    attempt('the next nonce', agent, '00003001', 12, false),
    attempt('seven characters', agent, '0003000', 12, false),
    attempt('nine characters', agent, '000003000', 12, false),
    attempt('0x in front', agent, '0x003000', 12, false),
    attempt('capitals', registry, '006BC91B', 12, false),
    attempt('not hex', agent, '0000300g', 12, false),
    attempt('little endian', agent, '00300000', 12, false),
    attempt('empty', agent, '', 12, false),
  ]
  return {
    about: 'sha256(the 32 key bytes || the 4 nonce bytes, big endian) has at least `difficulty` leading zero bits.',
    cases: [...cases, ...bent],
  }
}

function attempt(name: string, key: typeof agent, nonce: string, difficulty: number, valid: boolean) {
  return { name, public_key: key.publicKeyText, nonce, difficulty, valid }
}
