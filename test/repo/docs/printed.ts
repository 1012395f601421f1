/** A text as pages write it, with `…` for anything within a line. */
export function patternOf(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*?'))
}

/** What a page says is printed: these lines in this order, perhaps with others between them. */
export function printedPattern(text: string): RegExp {
  const lines = text.trimEnd().split('\n')
  return new RegExp(lines.map((line) => `^${patternOf(line).source}\\s*?$`).join('[^]*?'), 'm')
}
