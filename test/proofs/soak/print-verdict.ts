import type { Figure } from '../record/record.ts'
import type { Verdict } from './part.ts'

/** What a part has shown, as a table, and in sentences what did not hold and what could not be said. */
export function printVerdict(name: string, { figures, faults, gaps }: Verdict): void {
  console.log(`\n${name}`)
  const width = Math.max(0, ...figures.map(({ what }) => what.length))
  for (const figure of figures) {
    const value = `${figure.value.toLocaleString('en-US')} ${figure.unit ?? ''}`.trim()
    console.log(`  ${figure.what.padEnd(width)}  ${value.padStart(16)}  ${askedFor(figure)}`.trimEnd())
  }
  for (const gap of gaps) console.log(`  gap: ${gap}`)
  for (const fault of faults) console.log(`  FAULT: ${fault}`)
}

function askedFor({ atLeast, atMost }: Figure): string {
  if (atMost !== undefined) return `at most ${atMost.toLocaleString('en-US')}`
  return atLeast === undefined ? '' : `at least ${atLeast.toLocaleString('en-US')}`
}
