import fc from 'fast-check'
import type { Components, Schema } from './json-schema.ts'

/** What can be asked for, as the description of the API has it. */
export interface Operation {
  readonly id: string
  /** What a counter-example shows of it. */
  readonly [fc.toStringMethod]: () => string
  readonly method: string
  /** With `{id}` for what stands there. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly isRequired: boolean; readonly schema: Schema } | null
  /** By status. */
  readonly answers: ReadonlyMap<number, AnswerShape>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

interface AnswerShape {
  /** By media type; empty where there is no body. */
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  readonly headers: readonly string[]
}

export interface ApiDescription {
  readonly operations: readonly Operation[]
  readonly components: Components
}

interface Response {
  readonly $ref?: string
  readonly content?: AnswerShape['content']
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Components; readonly responses: Readonly<Record<string, Response>> }
}

interface OperationObject {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: Readonly<Record<string, Response>>
}

/** Takes the document apart that a service gives out. */
export function readDescription(json: unknown): ApiDescription {
  const { paths, components } = json as Document
  const shapeOf = (response: Response): AnswerShape => {
    const shape =
      response.$ref === undefined
        ? response
        : components.responses[response.$ref.replace('#/components/responses/', '')]
    return { content: shape?.content ?? {}, headers: Object.keys(shape?.headers ?? {}) }
  }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId, parameters, requestBody, responses }]): Operation => ({
        id: operationId,
        [fc.toStringMethod]: () => operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody
          ? { isRequired: requestBody.required, schema: requestBody.content['application/json']?.schema ?? {} }
          : null,
        answers: new Map(Object.entries(responses).map(([status, response]) => [Number(status), shapeOf(response)])),
      }),
    ),
  )
  return { operations, components: components.schemas }
}
