/** Random numbers that are the same for the same seed. */
export class SeededRandom {
  #state: [number, number, number, number]

  constructor(seed: string) {
    this.#state = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1]
    // The first words still resemble the seed.
    for (let round = 0; round < 12; round += 1) this.word()
  }

  /** 32 bits: the generator "sfc32". */
  word(): number {
    const [a, b, c, counter] = this.#state
    const word = (a + b + counter) | 0
    this.#state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + word) | 0, (counter + 1) | 0]
    return word >>> 0
  }

  /** From 0 up to, but not including, 1, with 53 bits. */
  next(): number {
    return ((this.word() >>> 5) * 2 ** 26 + (this.word() >>> 6)) / 2 ** 53
  }

  uuid(): string {
    const words = [
      this.word(),
      (this.word() & 0xffff0fff) | 0x4000,
      (this.word() & 0x3fffffff) | 0x80000000,
      this.word(),
    ]
    const hex = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
}

/** FNV-1a over the text, told apart by a salt, and mixed at the end. */
function hash(text: string, salt: number): number {
  let value = Math.imul(0x811c9dc5 ^ salt, 0x01000193)
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}
