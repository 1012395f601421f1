import type { AuditDraft, AuditValues } from '../../access/audit.ts'
import type { Job, JobDefinition } from '../../job/job.ts'
import type { JobStore } from '../jobs.ts'
import type { Box, Place } from './box.ts'
import type { Boxes } from './boxes.ts'
import { openText, sealText } from './sealed-body.ts'

type Change = (place: Place, text: string | null) => string | null

export function encryptedJobs(jobs: JobStore, boxes: Boxes): JobStore {
  const opened = async (found: readonly Job[]): Promise<Job[]> => {
    const boxOf = await boxes.of(found.map(({ tenant }) => tenant))
    return found.map((job) => changed(job, (place, text) => openText(boxOf(job.tenant), place, text)))
  }
  return {
    ...jobs,
    async put(changes) {
      const boxOf = await boxes.needed(changes.map(({ job }) => job.tenant))
      return await jobs.put(
        changes.map((change) => {
          const box = boxOf(change.job.tenant)
          const { audit } = change
          return { ...change, job: sealJob(box, change.job), ...(audit && { audit: withoutHashes(box, audit) }) }
        }),
      )
    },
    find: async (ids) => await opened(await jobs.find(ids)),
    findByName: async (tenant, names) => await opened(await jobs.findByName(tenant, names)),
    list: async (filter) => await opened(await jobs.list(filter)),
    search: async (query) => await opened(await jobs.search(query)),
    async due(limit) {
      const due = await jobs.due(limit)
      return { ...due, jobs: await opened(due.jobs) }
    },
  }
}

export function sealJob(box: Box, job: Job): Job {
  return changed(job, (place, text) => sealText(box, place, text))
}

/** A job with each of its texts changed: its payload, what the code declares in place of it, and the hash of what was approved, which would tell whoever can guess. */
function changed(job: Job, change: Change): Job {
  const { id, definition, details } = job
  const { approval, declared } = details
  const at = (column: string): Place => ({ table: 'jobs', id, column })
  return {
    ...job,
    definition: withPayload(definition, change(at('payload'), definition.payload)),
    details:
      approval === null && declared === null
        ? details
        : {
            ...details,
            approval: approval && { ...approval, hash: change(at('approval'), approval.hash) ?? '' },
            declared: declared && withPayload(declared, change(at('declared'), declared.payload)),
          },
  }
}

function withPayload(definition: JobDefinition, payload: string | null): JobDefinition {
  return payload === definition.payload ? definition : { ...definition, payload }
}

/** Fields of an entry that are a hash of what is sealed. */
const HASHES: ReadonlySet<string> = new Set(['payloadHash', 'definitionHash'])

/** An entry whose hashes tell nothing to whoever guesses what was hashed; equal ones stay equal. */
export function withoutHashes<Draft extends AuditDraft>(box: Box, draft: Draft): Draft {
  const { oldValues, newValues } = draft
  return { ...draft, oldValues: keyed(box, oldValues), newValues: keyed(box, newValues) }
}

function keyed(box: Box, values: AuditValues | null): AuditValues | null {
  if (values === null || !Object.keys(values).some((name) => HASHES.has(name))) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      HASHES.has(name) && typeof value === 'string' ? box.hash('audit', value) : value,
    ]),
  )
}
