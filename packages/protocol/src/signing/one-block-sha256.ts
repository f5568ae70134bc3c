// biome-ignore format: the constants of FIPS 180-4 read best as a table
const ROUND_CONSTANTS = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])

// biome-ignore format: as above
const INITIAL_STATE = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])

const KEY_WORDS = 8
const FIRST_WORD_FROM_NONCE = 23

/**
 * Searches nonces `first, first + step, …` (`count` of them) for sha256(key || nonce) with enough leading zero bits; returns the
 * first match, or -1. The 36 bytes fill one block in which only the nonce word changes: the rounds and the schedule before it are
 * computed once.
 */
export type NonceSearch = (first: number, step: number, count: number) => number

export function nonceSearch(key: Uint8Array, difficulty: number): NonceSearch {
  const schedule = scheduleBeforeNonce(key)
  const state = stateBeforeNonce(schedule)
  const shift = 32 - difficulty
  return (first, step, count) => {
    for (let i = 0, nonce = first; i < count; i++, nonce += step) {
      if (firstWordOfHash(schedule, state, nonce) >>> shift === 0) return nonce
    }
    return -1
  }
}

function scheduleBeforeNonce(key: Uint8Array): Int32Array {
  const w = new Int32Array(64)
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength)
  for (let i = 0; i < KEY_WORDS; i++) w[i] = words.getInt32(i * 4)
  w[9] = 0x80000000
  w[15] = 36 * 8
  for (let i = 16; i < FIRST_WORD_FROM_NONCE; i++) w[i] = nextWord(w, i)
  return w
}

function stateBeforeNonce(w: Int32Array): Int32Array {
  const state = INITIAL_STATE.slice()
  for (let i = 0; i < KEY_WORDS; i++) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    const t1 = mixedWithE(e, f, g, h) + at(ROUND_CONSTANTS, i) + at(w, i)
    state.set([t1 + mixedWithA(a, b, c), a, b, c, d + t1, e, f, g])
  }
  return state
}

function firstWordOfHash(w: Int32Array, state: Int32Array, nonce: number): number {
  w[KEY_WORDS] = nonce
  let a = at(state, 0)
  let b = at(state, 1)
  let c = at(state, 2)
  let d = at(state, 3)
  let e = at(state, 4)
  let f = at(state, 5)
  let g = at(state, 6)
  let h = at(state, 7)
  for (let i = KEY_WORDS; i < 64; i++) {
    if (i >= FIRST_WORD_FROM_NONCE) w[i] = nextWord(w, i)
    const t1 = (mixedWithE(e, f, g, h) + at(ROUND_CONSTANTS, i) + at(w, i)) | 0
    const t2 = mixedWithA(a, b, c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  return (a + at(INITIAL_STATE, 0)) | 0
}

function nextWord(w: Int32Array, i: number): number {
  const x = at(w, i - 15)
  const y = at(w, i - 2)
  const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
  const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
  return (sigma1 + at(w, i - 7) + sigma0 + at(w, i - 16)) | 0
}

function mixedWithE(e: number, f: number, g: number, h: number): number {
  return (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g)))) | 0
}

function mixedWithA(a: number, b: number, c: number): number {
  return ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)))) | 0
}

function rotate(x: number, bits: number): number {
  return (x >>> bits) | (x << (32 - bits))
}

function at(words: Int32Array, i: number): number {
  return words[i] as number
}
