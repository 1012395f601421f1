import type { BrowserContext, ConsoleMessage, Response } from 'playwright-core'

/** Whatever a page does against its policy is said in the console, in words that are the same in every version. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Content-Security-Policy: ' + violatedDirective + ' forbids ' + blockedURI))`

/** Chromium says of every answer above 399 that it could not be loaded; what it was is told with the answer. */
const TOLD_ELSEWHERE = /^Failed to load resource/

/** What nobody means to happen in a browser: errors, what the policy forbids, requests of other hosts, answers that are problems. */
export class Watch {
  readonly #origin: string
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  async begin(context: BrowserContext): Promise<void> {
    await context.addInitScript(TELL_VIOLATIONS)
    context.on('console', (message) => this.#hear(message))
    context.on('weberror', (error) => this.#seen.push(`error: ${String(error.error().stack ?? error.error())}`))
    context.on('request', (request) => this.#check(request.url()))
    context.on('response', (response) => this.#read(response))
  }

  /** From now on, and of what was seen, this is meant to happen: `/^404 GET .*\/api\/jobs\//`. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  /** What was seen that nobody expects. */
  get problems(): readonly string[] {
    return this.#seen.filter((each) => !this.#expected.some((pattern) => pattern.test(each)))
  }

  #hear(message: ConsoleMessage): void {
    const text = message.text()
    if (message.type() === 'error' && !TOLD_ELSEWHERE.test(text)) this.#seen.push(`console: ${text}`)
  }

  #check(url: string): void {
    const { origin, protocol } = new URL(url)
    if (origin !== this.#origin && protocol !== 'data:' && protocol !== 'blob:') this.#seen.push(`elsewhere: ${url}`)
  }

  #read(response: Response): void {
    const status = response.status()
    if (status >= 400) this.#seen.push(`${status} ${response.request().method()} ${response.url()}`)
  }
}
