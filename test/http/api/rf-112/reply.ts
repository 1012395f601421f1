export interface AskOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty where it is no JSON. */
  readonly body: Body
}

/** What tests look for in answers: a test that looks for what is not there fails. */
export interface Body {
  readonly [field: string]: unknown
  readonly id: string
  readonly status: string | number
  readonly version: number
  readonly executionId: string
  readonly code: string
  readonly detail: string
  readonly items: readonly Body[]
  readonly nextCursor: string | null
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly message: string }[]
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Body) : ({} as Body),
  }
}
