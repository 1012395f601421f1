import { Link } from 'wouter-preact'
import type { UpcomingView } from '../../api/wire.ts'
import { dateTime, zoneName } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { overviewTexts } from './texts.ts'

/** What fires next: when that is for whoever looks and, where it is another time there, for the job. */
export function NextRuns({ upcoming: { items, isSuspended } }: { readonly upcoming: UpcomingView }) {
  const texts = overviewTexts.value
  return (
    <Section title={texts.next} actions={<Link href="/calendar">{texts.calendar}</Link>}>
      {isSuspended && <p class="overview-warning">{texts.nextSuspended}</p>}
      {items.length === 0 && <p class="muted">{texts.noNext}</p>}
      <ol>
        {items.map(({ jobId, name, at, timeZone }) => (
          <li class="overview-run" key={`${jobId} ${at}`}>
            <Link href={`/${jobId}`}>{name}</Link>
            <strong class="small">
              <Time at={at} as="relative" />
            </strong>
            <span class="overview-run-more muted small">
              <span>{dateTime(at, { hasSeconds: false })}</span>
              {isElsewhere(at, timeZone) && (
                <span>
                  {dateTime(at, { timeZone, hasSeconds: false })}
                  {zoneName(at, timeZone) !== timeZone && ` (${timeZone})`}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Whether clocks there show something else at that instant. */
function isElsewhere(at: string, timeZone: string): boolean {
  return timeZone !== viewerZone.value && dateTime(at, { timeZone }) !== dateTime(at)
}
