import { readFileSync } from 'node:fs'
import { InvalidInputError, quote } from '../../errors.ts'
import type { CronOverrideRecord } from '../../job/job.ts'
import type { Logger } from '../../logger.ts'
import { CronTrigger } from '../../time/triggers/cron.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { innermost, type Trigger } from '../../time/triggers/trigger.ts'

/** Where operators change a job's cron without a new release. */
export interface OverrideOptions {
  /** A JSON file: `{ "jobs": { "nightly": { "cron": "0 3 * * *" } } }`. Default: the file in `PONTUAL_CONFIG`, if it is set. */
  readonly file?: string | undefined
  /** Variables `PONTUAL_JOBS__<NAME>__CRON`, which go before the file. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** An override and where it stands. */
export interface CronOverride {
  readonly expression: unknown
  readonly source: string
}

export type OverrideOf = (jobName: string) => CronOverride | null

/** Reads all overrides. A file that cannot be read is an error in the log, not a reason not to start. */
export function readOverrides({ file, env = process.env }: OverrideOptions, logger: Logger): OverrideOf {
  const path = file ?? env['PONTUAL_CONFIG']
  const jobs = path === undefined ? {} : readFile(path, logger)
  return (jobName) => {
    const variable = variableOf(jobName)
    const fromEnv = env[variable]
    if (fromEnv !== undefined) return { expression: fromEnv, source: variable }
    const entry = Object.hasOwn(jobs, jobName) ? jobs[jobName] : undefined
    const fromFile = typeof entry === 'object' && entry !== null && 'cron' in entry ? entry.cron : undefined
    return fromFile === undefined ? null : { expression: fromFile, source: `${path}: jobs.${jobName}.cron` }
  }
}

/** The variable of a job: its name in capitals, with `_` for whatever a variable cannot hold. */
export function variableOf(jobName: string): string {
  return `PONTUAL_JOBS__${jobName.toUpperCase().replace(/[^A-Z0-9]/g, '_')}__CRON`
}

export interface OverriddenTrigger {
  readonly trigger: Trigger
  /** null where the code's own is used. */
  readonly override: CronOverrideRecord | null
}

/** The trigger of a declared job under an override. One that is invalid is an error in the log, and the code's own trigger is used. */
export function overriddenTrigger(
  jobName: string,
  trigger: Trigger,
  override: CronOverride | null,
  logger: Logger,
): OverriddenTrigger {
  if (override === null) return { trigger, override: null }
  const { expression, source } = override
  try {
    const inner = innermost(trigger)
    if (!(inner instanceof CronTrigger)) {
      throw new InvalidInputError(
        'override.not_cron',
        `Only a cron can be overridden, and the code has another trigger.`,
      )
    }
    if (typeof expression !== 'string') {
      throw new InvalidInputError('override.invalid', `A cron expression must be text, got ${quote(expression)}.`)
    }
    // Time zone and all else stay as the code has them.
    const overridden = triggerFrom(withExpression(trigger.toJSON(), expression))
    const { expression: codeExpression } = inner.toJSON()
    return { trigger: overridden, override: { source: shownSource(source), expression, codeExpression } }
  } catch (error) {
    logger.error('The override of a cron is invalid, the cron of the code is used', { job: jobName, source, error })
    return { trigger, override: null }
  }
}

/** Where a file lies is for whoever runs it, and not for everybody who reads a job. */
function shownSource(source: string): string {
  return source.replace(/^.*[\\/](?=[^\\/]*: jobs\.)/, '')
}

/** Within what is around it, such as jitter. */
function withExpression(json: object, expression: string): object {
  if ('trigger' in json && typeof json.trigger === 'object' && json.trigger !== null) {
    return { ...json, trigger: withExpression(json.trigger, expression) }
  }
  return { ...json, expression }
}

function readFile(path: string, logger: Logger): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const jobs = typeof content === 'object' && content !== null && 'jobs' in content ? content.jobs : {}
    if (typeof jobs === 'object' && jobs !== null && !Array.isArray(jobs)) return jobs as Record<string, unknown>
    throw new InvalidInputError('override.invalid', `jobs must be an object, got ${quote(jobs)}.`)
  } catch (error) {
    logger.error('The configuration file cannot be read, the code is used as it is', { file: path, error })
    return {}
  }
}
