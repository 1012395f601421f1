/** What is wrong with one field, by its JSON pointer. */
export interface FieldProblem {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** What the server answers with when it does not do what was asked, in the language of the page. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** 0 where no answer came. */
  readonly status: number
  readonly code: string
  readonly title: string
  readonly fields: readonly FieldProblem[]
  readonly traceId: string | null

  constructor(status: number, body: Partial<Record<string, unknown>>) {
    super(textOr(body['detail'], textOr(body['title'], `HTTP ${status}`)))
    this.status = status
    this.code = textOr(body['code'], status === 0 ? 'unreachable' : 'unknown')
    this.title = textOr(body['title'], this.message)
    this.fields = Array.isArray(body['errors']) ? (body['errors'] as FieldProblem[]) : []
    this.traceId = typeof body['trace_id'] === 'string' ? body['trace_id'] : null
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}
