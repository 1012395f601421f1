import { Link } from 'wouter-preact'
import { MINUTE_MS } from '../../../../src/duration.ts'
import { type JobFieldName, STORED_NAMES } from '../../../../src/job/job-fields.ts'
import type { JobView } from '../../api/wire.ts'
import { dateTime, duration, number } from '../../language/format.ts'
import { jobFieldName, overlapName } from '../../language/job-fields.ts'
import { policyName, priorityName } from '../../language/names.ts'
import { Facts, Section } from '../../parts/page.tsx'
import { jobPageTexts } from './texts.ts'

/** Fields that are shown in words of their own, here or elsewhere on the page. */
const PLACED: ReadonlySet<JobFieldName> = new Set<JobFieldName>([
  'name',
  'description',
  'priority',
  'timeoutMinutes',
  'retryCount',
  'overlap',
  'misfirePolicy',
  'misfireThresholdSeconds',
  'calendar',
  'requiresTwoStepExecution',
  'tags',
])
const OTHERS = STORED_NAMES.filter((name) => !PLACED.has(name))

/** How the job is set up. */
export function Definition({ job }: { readonly job: JobView }) {
  const texts = jobPageTexts.value
  const by = (who: string | null, at: string | null) =>
    at === null ? '–' : `${who ?? texts.byCode} · ${dateTime(at, { hasSeconds: false })}`
  return (
    <Section title={texts.sections.definition}>
      <Facts
        facts={[
          [jobFieldName('jobType'), <code key="type">{job.jobType}</code>],
          [jobFieldName('priority'), priorityName(job.priority)],
          [
            jobFieldName('timeoutMinutes'),
            job.timeoutMinutes === null ? texts.facts.noTimeout : duration(job.timeoutMinutes * MINUTE_MS),
          ],
          [jobFieldName('retryCount'), number(job.retryCount)],
          [jobFieldName('overlap'), overlapName(job.overlap)],
          [
            jobFieldName('misfirePolicy'),
            texts.policy(policyName(job.misfirePolicy), number(job.misfireThresholdSeconds, 2)),
          ],
          [jobFieldName('calendar'), job.calendar === null ? '–' : <Link href="/calendars">{job.calendar}</Link>],
          [jobFieldName('requiresTwoStepExecution'), job.requiresTwoStepExecution ? texts.facts.yes : texts.facts.no],
          ...(job.requiresTwoStepExecution
            ? [[texts.facts.approved, by(job.approvedByUserId, job.approvedAt)] as const]
            : []),
          [texts.facts.created, by(job.createdBy, job.createdAt)],
          [texts.facts.updated, by(job.updatedBy, job.updatedAt)],
          ...(job.deletedAt === null ? [] : [[texts.facts.deleted, by(job.deletedBy, job.deletedAt)] as const]),
          [jobFieldName('version'), number(job.version)],
          [
            jobFieldName('tags'),
            job.tags.length === 0 ? (
              '–'
            ) : (
              <span key="tags" class="row">
                {job.tags.map((tag) => (
                  <Link key={tag} class="tag" href={`/list?q=${encodeURIComponent(`tag:${quoted(tag)}`)}`}>
                    {tag}
                  </Link>
                ))}
              </span>
            ),
          ],
          ...OTHERS.map((name) => [jobFieldName(name), shown(job[name])] as const),
        ]}
      />
    </Section>
  )
}

function shown(value: unknown): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A tag with a space in it is searched in quotes. */
function quoted(tag: string): string {
  return /[\s",]/.test(tag) ? `"${tag.replaceAll('"', '')}"` : tag
}
