/** Names remembered at most: a multiple of what is asked for again within a few seconds. A power of two. */
const PLACES = 2 ** 17

/**
 * Whether a name was asked for before, not too many other names ago. Each name's hash has one place, which a later one may take:
 * that costs no memory that grows, and a wrong answer only a document kept in vain, or one rendered once more.
 */
export function createAskedBefore(): (name: string) => boolean {
  const places = new Int32Array(PLACES)
  return (name) => {
    const hash = hashOf(name)
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1)
    if (places[place] === hash) return true
    places[place] = hash
    return false
  }
}

/** FNV-1a, of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
