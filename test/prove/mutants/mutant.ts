/** The invariants that the tests of this repository show, as docs/proof/invariants.md names them; and what a hostile client tries. */
type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I18'
  | 'I19'
  | 'I20'
  | 'I21'
  | 'I22'
  | 'I23'
  | 'I24'
  | 'I25'
  | 'I26'
  | 'I27'
  | 'I28'
  | 'I29'
  | 'I30'
  | 'S5'
  | 'S7'
  | 'S11'
  | 'S12'
  | 'S20'
  | 'S47'
  | 'S53'

/** A test by its file and its name, or the beginning of it where the name is a row of a table. */
export type NamedTest = readonly [file: string, name: string]

/** One bug, small enough to be written by accident, and the tests that must not pass with it. */
export interface Mutant {
  readonly invariant: Invariant
  /** What is wrong, in words. */
  readonly name: string
  readonly file: string
  /** Must occur exactly once in the file: a mutant that no longer fits the sources is no proof. */
  readonly find: string
  readonly replace: string
  /** Each of them must fail. */
  readonly caughtBy: readonly NamedTest[]
}

/** The suite that every store passes, in memory and on a server. */
export const IN_MEMORY = 'test/conformance/memory.test.ts'
export const ON_POSTGRES = 'test/conformance/postgres.test.ts'

/** A mutant that only tests on a PostgreSQL server can see. */
export function needsServer({ file, caughtBy }: Mutant): boolean {
  return (
    file.startsWith('src/store/postgres/') ||
    file.startsWith('src/store/driver/') ||
    file.startsWith('migrations/') ||
    caughtBy.every(([test]) => test === ON_POSTGRES)
  )
}
