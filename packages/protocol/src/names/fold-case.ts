/** Full case folding, one code point at a time so that no letter depends on its neighbours. */
export function foldCase(text: string): string {
  return eachCharacter(eachCharacter(eachCharacter(text, lower), upper), lower)
}

const lower = (character: string): string => character.toLowerCase()
const upper = (character: string): string => character.toUpperCase()

function eachCharacter(text: string, change: (character: string) => string): string {
  return Array.from(text, change).join('')
}
