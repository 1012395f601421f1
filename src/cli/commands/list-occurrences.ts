import type { OccurrenceView } from '../../service/answers.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { collectPages, queryOf } from '../client/collect-pages.ts'
import { findJob } from '../client/find-job.ts'
import { shownJson } from '../print/shown-text.ts'
import { drawTable } from '../print/table.ts'
import { formatWallTime } from '../print/wall-time.ts'
import { readMoment } from '../read/moment.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface ListOccurrencesOptions extends AskingOptions {
  readonly since?: string
  readonly until?: string
  readonly limit: number
}

/** `pontual jobs occurrences`: what was decided about each occurrence of a job, the oldest first. */
export async function listOccurrences(
  named: string,
  options: ListOccurrencesOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { since, until, limit, json } = options
  const zone = shownZone(options)
  const instant = (text: string | undefined, name: string) =>
    text === undefined ? undefined : formatInstant(readMoment(text, name, { now: terminal.now, zone }))
  const query = queryOf({ from: instant(since, '--since'), to: instant(until, '--until') })
  const page = await asking(options, environment, async (connection) => {
    const { id } = await findJob(connection, named)
    return await collectPages<OccurrenceView>(connection, `/${id}/occurrences`, query, limit)
  })
  if (json) {
    terminal.write(`${shownJson(page)}\n`)
    return
  }
  if (page.items.length === 0) terminal.note('No occurrences are recorded.\n')
  else terminal.write(drawOccurrences(terminal, page.items, zone))
  if (page.nextCursor !== null) terminal.note(`The oldest ${limit} are shown: see more with --limit or --since.\n`)
}

function drawOccurrences(terminal: Terminal, items: readonly OccurrenceView[], zone: string): string {
  const at = (instant: string) => formatWallTime(Date.parse(instant), zone)
  return drawTable<OccurrenceView>(
    terminal,
    [
      { title: 'FROM', cell: ({ from }) => at(from) },
      { title: 'TO', cell: ({ from, to }) => (from === to ? '' : at(to)) },
      { title: 'COUNT', cell: ({ count }) => String(count), isRight: true },
      { title: 'DECISION', cell: ({ decision }) => decision },
      { title: 'CAUSE', cell: ({ cause }) => cause ?? '' },
      { title: 'EXECUTION', cell: ({ executionId }) => executionId ?? '' },
    ],
    items,
  )
}
