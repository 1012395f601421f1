/** Who decides about a job. */
export interface Author {
  /** As the audit log names him; null: nobody but Pontual itself, or the code. */
  readonly userId: string | null
  /** All whom he stands for: none of them may approve what he has decided. A key stands for its owner too. */
  readonly persons: readonly string[]
}

/** Pontual itself: what follows from the rules, such as a pause that ends. */
export const NOBODY: Author = Object.freeze({ userId: null, persons: Object.freeze([]) })

/** An application that schedules jobs, or declares them. */
export function codeOf(application: string | null): Author {
  return { userId: null, persons: [application === null || application === '' ? 'code' : `code:${application}`] }
}
