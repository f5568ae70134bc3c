export type InventedProfile = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly capabilities: readonly string[]
  readonly protocols: readonly string[]
}

const SYLLABLES = 'b c d f g h k l m n p r s t v w br cl gr pl st tr'
  .split(' ')
  .flatMap((onset) => [...'aeiou'].flatMap((vowel) => ['', 'n', 'r', 's', 'l'].map((coda) => onset + vowel + coda)))
const VOCABULARY = 30_000
const CAPABILITIES = 300
const PROTOCOLS = ['mcp', 'a2a', 'rest', 'acp', 'grpc', 'x402']
const WORDS_OF_A_DESCRIPTION = 40

/** Seeded: the same numbers every time. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** An invented word; the same for the same number, and different for different ones. */
export function inventedWord(nr: number): string {
  let word = ''
  for (let rest = nr + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]
  }
  return word
}

/** As in any language, few words are frequent and most are rare. */
const oftenFew = (chance: () => number, of: number): number => Math.floor(of ** chance()) - 1

export function* inventedProfiles(count: number, seed = 1): Generator<InventedProfile> {
  const chance = createChance(seed)
  const words = (howMany: number) =>
    Array.from({ length: howMany }, () => inventedWord(oftenFew(chance, VOCABULARY))).join(' ')
  for (let nr = 0; nr < count; nr++) {
    const capabilities = Array.from({ length: 3 }, () => `can-${inventedWord(oftenFew(chance, CAPABILITIES))}`)
    yield {
      id: `ag_invented${String(nr).padStart(9, '0')}`,
      name: `${words(2)} ${nr}`,
      description: words(WORDS_OF_A_DESCRIPTION),
      capabilities: [...new Set(capabilities)],
      protocols: PROTOCOLS.filter(() => chance() < 0.3),
    }
  }
}
