import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NameProblem, normalizeAgentName } from './agent-name.ts'
import { nameKey } from './name-key.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const nameOf = (text: string): string | null => {
  const result = normalizeAgentName(text)
  return 'name' in result ? result.name : null
}
const problemOf = (text: string): NameProblem | null => {
  const result = normalizeAgentName(text)
  return 'problem' in result ? result.problem : null
}

describe('a name', () => {
  test('has letters and digits of any script, spaces, dots, underscores and hyphens', () => {
    const good = [
      'Data Bot 9',
      'a.b_c-d',
      '名前です',
      'Ünïcode',
      'Ελληνικά',
      'Кириллица',
      'العربية',
      'עברית',
      'हिन्दी',
      'ภาษาไทย',
    ]
    for (const name of [...good, 'ខ្មែរ', 'မြန်မာ', '한국어', 'ქართული', 'tiếng Việt', 'ẹ́kọ́', '٣٤', 'שָׁלוֹם'])
      expect(nameOf(name)).toBe(name)
    for (const bad of ['a/b', '<b>', 'a@b', 'a+b', 'a:b', 'a’b', 'a\u1680b', '👍👍', 'a\u20ddb', '½ off']) {
      expect(problemOf(bad), bad).toBe('characters')
    }
  })

  test('is stored NFKC, without spaces around it or two in a row', () => {
    expect(nameOf('ＡｂC')).toBe('AbC')
    expect(nameOf('𝕬𝖌𝖊𝖓𝖙 ①')).toBe('Agent 1')
    expect(nameOf('u\u0308ber')).toBe('über')
    expect(nameOf('  two \u00a0\u3000words ')).toBe('two words')
  })

  test('has 2 to 64 code points', () => {
    for (const good of ['ab', '𠮷𠮷', 'x'.repeat(64), '𠮷'.repeat(64)]) expect(problemOf(good)).toBeNull()
    for (const bad of [
      '',
      'x',
      ' x ',
      '𠮷',
      'x'.repeat(65),
      '𠮷'.repeat(65),
      'x'.repeat(100_000),
      '\ufdfa'.repeat(4),
    ]) {
      expect(problemOf(bad)).toBe('length')
    }
  })

  test('has no control, bidi, zero-width or other invisible characters', () => {
    const invisible = [
      '\0',
      '\n',
      '\t',
      '\x7f',
      '\x85',
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u115f',
      '\u1160',
      '\u17b4',
      '\u180b',
      '\u180e',
    ]
    invisible.push(
      '\u200b',
      '\u200c',
      '\u200d',
      '\u200e',
      '\u202e',
      '\u2028',
      '\u2060',
      '\u2066',
      '\u3164',
      '\ufe0f',
      '\ufeff',
      '\uffa0',
    )
    invisible.push('\ufff9', '\u{13441}', '\u{16fe4}', '\u{1d173}', '\u{e0041}', '\u{e0100}', '\ud800', '\udc00')
    for (const character of invisible) {
      for (const name of [`ab${character}cd`, `${character}abcd`, `abcd${character}`])
        expect(problemOf(name)).toBe('invisible')
    }
    expect(problemOf('\u2800\u2800')).toBe('characters')
  })

  test('has combining marks only where they can be seen', () => {
    const hidden = [
      '\u0301ab',
      'a \u0301b',
      '1\u0301a',
      'a\u0301\u0301b',
      'ä\u0308b',
      'a\u05b7b',
      'e\u064bx',
      'a\u0e31b',
      'ខ\u17d2',
    ]
    for (const bad of [...hidden, `a${'\u0300\u0315\u0323\u0331'}b`]) expect(problemOf(bad), bad).toBe('marks')
  })

  test('has a letter or a digit', () => {
    for (const bad of ['..', '--', '. _ -', '__']) expect(problemOf(bad)).toBe('no_letter')
  })

  test('is never like an id, nor reserved', () => {
    for (const bad of ['ag_4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS', 'AG_x', 'ａｇ_x', 'аg_x'])
      expect(problemOf(bad)).toBe('like_an_id')
    for (const bad of ['me', 'ME', ' me ', 'mе', 'search', 'Search', 'ѕеаrсh', 'ｍｅ'])
      expect(problemOf(bad)).toBe('reserved')
    for (const good of ['agent_1', 'ag-1', 'mee', 'researcher']) expect(problemOf(good)).toBeNull()
  })
})

describe('two names are the same', () => {
  const same: Readonly<Record<string, readonly [string, string]>> = {
    'in another letter case': ['alice', 'ALICE'],
    'with ß and SS': ['Straße', 'STRASSE'],
    'with final and other sigma': ['Σας', 'ΣΑΣ'],
    'with Turkish İ': ['İzmir', 'izmir'],
    'with a dot over a dotted i': ['i\u0307nbox', 'inbox'],
    'in Cyrillic': ['scope', 'ѕсоре'],
    'in Cyrillic capitals': ['BOT', 'ВОТ'],
    'in Cyrillic of another case': ['bot', 'ВОТ'],
    'in Greek': ['Kappa', 'Κappa'],
    'in Greek capitals': ['NIKE', 'ΝΙΚΕ'],
    'in Armenian': ['soon', 'sօօn'],
    'in Cherokee': ['DRAT', 'ᎠᎡᎪᎢ'],
    'in full width': ['agent', 'ａｇｅｎｔ'],
    'in mathematical letters': ['agent', '𝖆𝖌𝖊𝖓𝖙'],
    'in small capitals': ['vow', 'ᴠᴏᴡ'],
    'with 0 and O': ['Zero0', 'ZeroO'],
    'with l, 1, I and i': ['lili', '1I1I'],
    'with Devanagari zero': ['bot0', 'bot०'],
    'with Arabic one': ['bot1', 'bot١'],
    'with rn and m': ['modern', 'modem'],
    'composed or not': ['über', 'u\u0308ber'],
  }
  test.each(Object.entries(same))('%s', (_, [one, two]) => {
    expect(nameKey(two)).toBe(nameKey(one))
  })

  test('but not when they only resemble each other', () => {
    const names = [
      'alice',
      'alicia',
      'al ice',
      'al-ice',
      'al.ice',
      'al_ice',
      'älice',
      'nan',
      'van',
      'fun',
      'fyn',
      'bot2',
      'botz',
      'über',
      'uber',
    ]
    expect(new Set(names.map(nameKey)).size).toBe(names.length)
  })
})

describe('for any text', () => {
  const letters = fc.constantFrom(...'aAiIlL1oO0mrnеЕνΝβßſσς İıЖжᎪꭺ名가i̇_.-')
  const texts = fc.oneof(fc.string({ unit: character, maxLength: 70 }), fc.string({ unit: letters, maxLength: 20 }))

  test('a stored name is stored again unchanged', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = normalizeAgentName(text)
        if ('name' in result) expect(normalizeAgentName(result.name)).toEqual(result)
      }),
      { numRuns: 500 },
    )
  })

  test('the key does not change with the letter case, and a key is its own key', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const key = nameKey(text)
        expect(nameKey(text.toUpperCase())).toBe(key)
        expect(nameKey(text.toLowerCase())).toBe(key)
        expect(nameKey(key)).toBe(key)
      }),
      { numRuns: 500 },
    )
  })
})
