import { InvalidInputError, quote } from '../../errors.ts'

/** What Zod, Valibot, ArkType and others have in common: https://standardschema.dev, version 1. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  /** What a schema of one's own says beside it, as Zod hands it on: a `code` is kept. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A schema that gives a type to a value and checks nothing, such as for a signal whose payload needs no check: `signals: { note: unchecked<string>() }`.
 */
export function unchecked<Value>(): StandardSchema<Value> {
  return { '~standard': { version: 1, vendor: 'pontual', validate: (value) => ({ value: value as Value }) } }
}

/** The input of a job does not fit its schema. */
export class InvalidPayloadError extends InvalidInputError {}

/** The value as the schema gives it out; or an error that names each thing that is wrong with it. */
export async function validate<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
  thing: string,
): Promise<Output> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const issues = result.issues.map(({ message, path, params }) => ({
    path: placeOf(path).join('.'),
    message,
    ...(typeof params?.['code'] === 'string' && { code: params['code'] }),
  }))
  const sentences = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  throw new InvalidPayloadError('payload.invalid', `${thing} is invalid: ${sentences.join('; ')}`, { thing, issues })
}

/** All that is wrong with a value, as the schema tells it. */
export async function issuesOf(schema: StandardSchema, value: unknown): Promise<readonly SchemaIssue[]> {
  return (await schema['~standard'].validate(value)).issues ?? []
}

/** Where in a value an issue is. */
export function placeOf(path: SchemaIssue['path'] = []): readonly string[] {
  return path.map((part) => String(typeof part === 'object' ? part.key : part))
}

export function requireSchema(value: unknown, name: string): void {
  const standard = (value as Partial<StandardSchema> | null)?.['~standard']
  if (typeof standard?.validate === 'function') return
  throw new InvalidInputError(
    'option.invalid',
    `${name} must be a schema of a library that follows Standard Schema (Zod, Valibot, ArkType …), got ${quote(value)}.`,
    { name },
  )
}
