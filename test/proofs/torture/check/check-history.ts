import type { Figure } from '../../record/record.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import type { Report } from './report.ts'
import type { Findings, Rule, Violation } from './rule.ts'
import { ALL_RULES } from './rules/all.ts'

/** Counter-examples of one rule that are shown; the rest is counted. */
const SHOWN_EACH = 10
const EVIDENCE_LINES = 40
const LINE_LENGTH = 400

/** Looks at what a run has left in a folder, and at nothing else. */
export async function checkHistory(folder: string): Promise<Report> {
  return checkEvidence(await readEvidence(folder))
}

export function checkEvidence(evidence: Evidence): Report {
  const checked = ALL_RULES.map((rule) => ({ rule, ...look(rule, evidence) }))
  return {
    violations: checked.flatMap(({ violations }) => violations),
    rules: checked.map(({ rule, cases }) => ({ invariant: rule.invariant, what: rule.what, cases })),
    figures: checked.flatMap(({ rule, cases, worstMs }) => figuresOf(rule, cases, worstMs, evidence)),
    notExercised: checked
      .filter(({ cases }) => cases === 0)
      .map(({ rule }) => `${rule.invariant} was not exercised: there were no ${rule.what}.`),
  }
}

interface Found {
  readonly violations: readonly Violation[]
  readonly cases: number
  readonly worstMs: number | null
}

function look(rule: Rule, evidence: Evidence): Found {
  const violations: Violation[] = []
  let cases = 0
  let more = 0
  let worstMs: number | null = null
  const findings: Findings = {
    saw(count = 1) {
      cases += count
    },
    require(holds, text, shown) {
      if (holds) return
      if (violations.length >= SHOWN_EACH) more += 1
      else violations.push({ invariant: rule.invariant, text: text(), evidence: linesOf(shown()) })
    },
    measured(ms) {
      worstMs = Math.max(worstMs ?? ms, ms)
    },
  }
  rule.check(evidence, findings)
  if (more > 0) violations.push({ invariant: rule.invariant, text: `and ${more} more of the kind`, evidence: [] })
  return { violations, cases, worstMs }
}

function linesOf(shown: readonly unknown[]): string[] {
  const lines = shown.map((each) => JSON.stringify(each) ?? String(each))
  const kept = lines.slice(0, EVIDENCE_LINES - 1).map((line) => line.slice(0, LINE_LENGTH))
  return lines.length > kept.length ? [...kept, `… and ${lines.length - kept.length} more`] : kept
}

function figuresOf(rule: Rule, cases: number, worstMs: number | null, evidence: Evidence): Figure[] {
  const invariants = rule.invariant.startsWith('I') ? [rule.invariant] : []
  const counted: Figure = { section: 'lost', invariants, what: rule.what, value: cases }
  if (!rule.measures || worstMs === null) return [counted]
  const { what, atMost } = rule.measures
  const measured: Figure = {
    section: 'faults',
    invariants,
    what,
    value: Math.round(worstMs),
    unit: 'ms',
    atMost: atMost?.(evidence),
  }
  return [counted, measured]
}
