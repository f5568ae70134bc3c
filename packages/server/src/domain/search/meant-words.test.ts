import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, meantWords } from './meant-words.ts'

describe('a word that no profile knows', () => {
  test('stands for the words that hold it', () => {
    expect(meantWords('phora', ['zyphora', 'phore'])).toEqual(['zyphora'])
  })

  test('stands for the nearest words: one letter more, less, other or swapped', () => {
    for (const typed of ['pythno', 'pthon', 'pythonn', 'pithon', 'ypthon']) {
      expect(meantWords(typed, ['pylon', 'python', 'marathon'])).toEqual(['python'])
    }
  })

  test('may have two errors when it is long', () => {
    expect(meantWords('tranlsatoin', ['translation', 'transition'])).toEqual(['translation'])
  })

  test('stands for nothing when nothing is near, or when it is too short to say', () => {
    expect(meantWords('quantum', ['python', 'translation'])).toEqual([])
    expect(meantWords('jva', ['java'])).toEqual([])
    expect(meantWords('anything', [])).toEqual([])
  })
})

describe('the distance between two words', () => {
  test('counts a swap of neighbours as one', () => {
    expect(editDistance('abcd', 'abdc', 3)).toBe(1)
    expect(editDistance('kitten', 'sitting', 3)).toBe(3)
  })

  test('is symmetric, and one more than the most that is asked for when it is beyond', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b, 2)).toBe(editDistance(b, a, 2))
        expect(editDistance(a, b, 2)).toBeLessThanOrEqual(3)
        expect(editDistance(a, b, 20) === 0).toBe(a === b)
      }),
    )
  })
})
