/** One event of a stream, as `text/event-stream` has it. JSON has no line breaks of its own. */
export function eventText({ id, event, data }: { id?: number; event?: string; data?: unknown }): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** How long a client waits before it comes back. */
export const RETRY_TEXT = 'retry: 2000\n\n'
