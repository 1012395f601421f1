import { NoAnswerError } from './asking.ts'

const PATIENCE_MS = 8_000

/** What the service was told to be a mistake of whoever asks. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

interface HttpRequest {
  readonly tenant: string
  readonly key: string
  readonly body: object
}

/** Somebody who enqueues over HTTP. A request that is sent again under its key is the same request. */
export class HttpClient {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Gives the status and the id of the execution. */
  async enqueue({
    tenant,
    key,
    body,
  }: HttpRequest): Promise<{ readonly status: number; readonly executionId: string }> {
    const { status, text } = await this.#post(tenant, key, JSON.stringify(body))
    // Under way, too many, or out of order: none of them says whether it is going to be done.
    if (status >= 500 || status === 429 || status === 409) throw new NoAnswerError(`${status} ${text.slice(0, 200)}`)
    if (status >= 300) throw new RefusedError(`${status} ${text.slice(0, 200)}`)
    const { executionId } = JSON.parse(text) as { readonly executionId: string }
    return { status, executionId }
  }

  async #post(tenant: string, key: string, body: string): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(`${this.#url}/api/jobs/enqueue`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant': tenant, 'idempotency-key': key },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      throw new NoAnswerError('The service gave no answer.', { cause: error })
    }
  }
}
