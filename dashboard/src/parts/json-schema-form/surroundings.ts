import type { ComponentType } from 'preact'
import type { JsonSchema } from './shape.ts'

/** What every control of a form knows. */
export interface Surroundings {
  /** The whole schema: what its references lead into. */
  readonly root: JsonSchema
  /** A part of any kind: what has parts shows them by it. */
  readonly Part: ComponentType<PartProps>
  /** What is wrong with the part at a pointer, in words. */
  problemAt(pointer: string): string | undefined
  /** That the text at a pointer is no JSON, or is again. */
  markText(pointer: string, isBroken: boolean): void
}

/** A part of the value with its place in it. */
export interface PartProps {
  readonly around: Surroundings
  readonly schema: JsonSchema
  readonly pointer: string
  /** What it is called where the schema gives it no title. */
  readonly name: string
  readonly value: unknown
  readonly isRequired: boolean
  readonly onChange: (value: unknown) => void
}
