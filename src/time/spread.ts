/** A number from 0 up to, but not including, `size` that depends on nothing but the text: equal on every node, for ever. */
export function spread(identity: string, size: number): number {
  // FNV-1a, then a finishing mix, since its low bits alone are uneven for short texts that differ in one letter.
  let hash = 0x811c9dc5
  for (let index = 0; index < identity.length; index++) {
    hash = Math.imul(hash ^ identity.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % size
}
