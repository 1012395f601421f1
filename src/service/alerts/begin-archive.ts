import type { App } from '../../engine/app/app.ts'

/** The job of Pontual's own that moves what is old, or too much, to the archive. */
const ARCHIVE_JOB = 'pontual.archive'

/** Runs the archive job now. Where it was not made, or cannot run, its own schedule and the alert have to do. */
export async function beginArchive({ jobs, options, deps }: App): Promise<void> {
  const { tenant } = options
  try {
    if ((await jobs.find({ tenant, name: ARCHIVE_JOB })) === null) return
    await jobs.runNow({ tenant, name: ARCHIVE_JOB })
  } catch (error) {
    deps.logger.warn('The audit log is full, and the archive cannot begin', { job: ARCHIVE_JOB, tenant, error })
  }
}
