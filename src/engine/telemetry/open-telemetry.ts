/** The API through which an application and its libraries share one OpenTelemetry SDK. */
export type OpenTelemetry = typeof import('@opentelemetry/api')

let found: OpenTelemetry | null = null
let search: Promise<OpenTelemetry | null> | null = null

/** Loads the application's own copy of `@opentelemetry/api`. An application without the package pays for one failed import. */
export async function findOpenTelemetry(): Promise<void> {
  search ??= load()
  found = await search
}

/** The application's copy; null if it has none, and before `findOpenTelemetry` has resolved. */
export function openTelemetry(): OpenTelemetry | null {
  return found
}

async function load(): Promise<OpenTelemetry | null> {
  try {
    // A bundler inlines the package if it is installed and, because of the `try`, only warns if it is not.
    return await import('@opentelemetry/api')
  } catch {
    return null
  }
}
