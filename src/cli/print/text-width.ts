/** Marks that stand on the letter before them. */
const NO_WIDTH = /[\p{Mn}\p{Me}]/u
/** East Asian letters and pictures, which are two columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** How many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text in at most so many columns; where it is longer, it ends with `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let [cut, width] = ['', 0]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    cut += character
  }
  return `${cut}…`
}

function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
