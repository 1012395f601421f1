import process from 'node:process'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { EXECUTION_STATUSES } from '../../job/execution/execution.ts'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import { LOG_LEVELS } from '../../logger.ts'
import { nearest } from '../../nearest.ts'
import type { AskingOptions } from '../asking.ts'
import type { DecideOptions, DecideSettingsOptions, PauseJobOptions } from '../commands/decide.ts'
import type { ListExecutionsOptions } from '../commands/executions.ts'
import type { ListJobsOptions, ListOccurrencesOptions } from '../commands/jobs.ts'
import type { CancelOptions, RetryOptions, RunJobOptions } from '../commands/run.ts'
import type { ShowLogsOptions } from '../commands/show-logs.ts'
import type { Terminal } from '../terminal.ts'
import { clientOptions, jsonOption, parseCount } from './options.ts'

const A_JOB = 'name or id of a job'
const A_JOB_OR_EXECUTION = 'id of an execution, or name or id of a job'
const SORTS = ['name', 'status', 'jobType', 'priority', 'nextExecution', 'createdAt', 'updatedAt']

/** What somebody does who has to see to jobs: he asks a service. */
export function addOperateCommands(program: Command, terminal: Terminal): void {
  addJobs(program, terminal)
  addExecutions(program, terminal)
  addRuns(program, terminal)
  addDecisions(program, terminal)
  addSettings(program, terminal)
}

function addJobs(program: Command, terminal: Terminal): void {
  const jobs = asks(
    program
      .command('jobs')
      // What stands behind `show` is for `show`.
      .enablePositionalOptions()
      .description('List jobs: their status, when they fire next, how they went last.')
      .addOption(statusOption(JOB_STATUSES))
      .addOption(listOption('--priority <priority...>', `one or more of ${PRIORITIES.join(', ')}`, PRIORITIES))
      .option('--type <type>', 'only jobs of this type')
      .option('--tag <tag>', 'only jobs with this tag')
      .option('--search <text>', 'as the dashboard searches: text, and tokens such as status:failed or after:2d')
      .addOption(
        new Option('--sort <field>', 'what to sort by, with a minus before it the other way round')
          .choices([...SORTS, ...SORTS.map((sort) => `-${sort}`)])
          .default('name'),
      )
      .option('--limit <n>', 'how many to show at most', parseCount, 100),
  ).action(async (options: ListJobsOptions) =>
    (await import('../commands/jobs.ts')).listJobs(options, process.env, terminal),
  )
  asks(
    jobs
      .command('show')
      .description('Show a job: its schedule, its statistics, its last executions, and what waits for an approval.')
      .argument('<job>', A_JOB),
  ).action(async (job: string, options: AskingOptions) =>
    (await import('../commands/jobs.ts')).showJob(job, options, process.env, terminal),
  )
  asks(
    jobs
      .command('occurrences')
      .description('List what was decided about the occurrences of a job, the oldest first, with cause and execution.')
      .argument('<job>', A_JOB)
      .option('--since <when>', 'due since then: 30m, 2h, 7d, 2026-01-31, 2026-01-31T09:00:00Z')
      .option('--until <when>', 'due before then')
      .option('--limit <n>', 'how many to show at most', parseCount, 50),
  ).action(async (job: string, options: ListOccurrencesOptions) =>
    (await import('../commands/jobs.ts')).listOccurrences(job, options, process.env, terminal),
  )
}

function addExecutions(program: Command, terminal: Terminal): void {
  const executions = asks(
    program
      .command('executions')
      .enablePositionalOptions()
      .description('List executions, the newest first.')
      .option('--job <job>', `only those of one: ${A_JOB}`)
      .addOption(statusOption(EXECUTION_STATUSES))
      .option('--since <when>', 'created since then: 30m, 2h, 7d, 2026-01-31, 2026-01-31T09:00:00Z')
      .option('--until <when>', 'created before then')
      .option('--type <type>', 'only those of this job type')
      .option('--search <text>', 'as the dashboard searches: text of errors and names, and tokens such as tag:finance')
      .option('--archived', 'also those older than 90 days', false)
      .option('--limit <n>', 'how many to show at most', parseCount, 50),
  ).action(async (options: ListExecutionsOptions) =>
    (await import('../commands/executions.ts')).listExecutions(options, process.env, terminal),
  )
  asks(
    executions
      .command('show')
      .description('Show an execution: its attempts, input and output, and what went wrong.')
      .argument('<execution>', `${A_JOB_OR_EXECUTION}, which means its last one`),
  ).action(async (execution: string, options: AskingOptions) =>
    (await import('../commands/executions.ts')).showExecution(execution, options, process.env, terminal),
  )
  asks(
    executions
      .command('chain')
      .description('Show the chain of an execution: what it runs after, and what runs after it.')
      .argument('<execution>', `${A_JOB_OR_EXECUTION}, which means its last one`),
  ).action(async (execution: string, options: AskingOptions) =>
    (await import('../commands/executions.ts')).showChain(execution, options, process.env, terminal),
  )

  asks(
    program
      .command('logs')
      .description('Show what an execution has logged, or the last one of a job.')
      .argument('<execution|job>', A_JOB_OR_EXECUTION)
      .option('-f, --follow', 'wait for more until it ends; of a job, go on with its next executions', false)
      .addOption(new Option('--level <level>', 'the lowest level to show').choices([...LOG_LEVELS]))
      .option('--attempt <n>', 'only of this attempt', parseCount),
  ).action(async (named: string, options: ShowLogsOptions) =>
    (await import('../commands/show-logs.ts')).showLogs(named, options, process.env, terminal),
  )
}

function addRuns(program: Command, terminal: Terminal): void {
  asks(
    awaits(
      program
        .command('run')
        .description('Run a job now, in addition to its schedule; or run a job type without a job.')
        .argument('[job]', A_JOB)
        .option('--type <type>', 'in place of a job: the id of a job type that is declared enqueueable')
        .option('--input <json>', 'what it is given in place of its own payload: JSON, @file, or @- for standard input')
        .option('--priority <priority>', `one of ${PRIORITIES.join(', ')}`, (text) => choose(text, PRIORITIES))
        .option('--at <when>', 'not before then: a duration from now on such as 10m, a day, or an instant')
        .option('--key <key>', 'the same key means the same execution, however often it is asked for'),
    ),
  ).action(async (job: string | undefined, options: RunJobOptions) =>
    (await import('../commands/run.ts')).runJob(job, options, process.env, terminal),
  )

  asks(
    awaits(
      program
        .command('retry')
        .description('Run an execution again that did not succeed; of a job, the last that failed or timed out.')
        .argument('<execution|job>', A_JOB_OR_EXECUTION),
    ),
  ).action(async (named: string, options: RetryOptions) =>
    (await import('../commands/run.ts')).retryExecution(named, options, process.env, terminal),
  )

  asks(
    program
      .command('cancel')
      .description('Cancel an execution, or the one of a job that has not ended.')
      .argument('<execution|job>', A_JOB_OR_EXECUTION)
      .option('--reason <text>', 'why; it stands in the audit log')
      .option('--all', 'of a job, all that have not ended', false),
  ).action(async (named: string, options: CancelOptions) =>
    (await import('../commands/run.ts')).cancelExecutions(named, options, process.env, terminal),
  )
}

function addDecisions(program: Command, terminal: Terminal): void {
  asks(
    program
      .command('pause')
      .description('Stop a job from firing by itself, until a time that is named or until it is resumed.')
      .argument('<job>', A_JOB)
      .option('--until <when>', 'when it resumes by itself: a duration such as 2h, a day, or an instant')
      .option('--reason <text>', 'why'),
  ).action(async (job: string, options: PauseJobOptions) =>
    (await import('../commands/decide.ts')).pauseJob(job, options, process.env, terminal),
  )

  asks(
    program
      .command('resume')
      .description('Let a paused or faulted job fire again, from now on.')
      .argument('<job>', A_JOB),
  ).action(async (job: string, options: AskingOptions) =>
    (await import('../commands/decide.ts')).resumeJob(job, options, process.env, terminal),
  )

  asks(
    decides(
      program
        .command('approve')
        .description("A second person's yes to what a sensitive job would run; `pontual jobs show` tells what that is.")
        .option('--comment <text>', 'what is kept beside it'),
    ),
  ).action(async (job: string, options: DecideOptions) =>
    (await import('../commands/decide.ts')).approveJob(job, options, process.env, terminal),
  )

  asks(
    decides(
      program
        .command('reject')
        .description('The no to what a sensitive job would run.')
        .requiredOption('--comment <text>', 'why'),
    ),
  ).action(async (job: string, options: DecideOptions & { readonly comment: string }) =>
    (await import('../commands/decide.ts')).rejectJob(job, options, process.env, terminal),
  )
}

function addSettings(program: Command, terminal: Terminal): void {
  const settings = asks(
    program
      .command('settings')
      .enablePositionalOptions()
      .description('Show the approval rule of the tenant, and a change of it that waits for a second Admin.'),
  ).action(async (options: AskingOptions) =>
    (await import('../commands/decide.ts')).showSettings(options, process.env, terminal),
  )
  const version = ['--if-version <n>', 'only if it is still this version, which `pontual settings` prints'] as const
  asks(
    settings
      .command('approve')
      .description('Approve a looser approval rule, as a second Admin.')
      .option('--comment <text>', 'a comment for the audit log')
      .option(...version, parseVersion),
  ).action(async (options: DecideSettingsOptions) =>
    (await import('../commands/decide.ts')).decideSettings('approve', options, process.env, terminal),
  )
  asks(
    settings
      .command('reject')
      .description('Reject a looser approval rule, or withdraw it.')
      .requiredOption('--comment <text>', 'the reason')
      .option(...version, parseVersion),
  ).action(async (options: DecideSettingsOptions) =>
    (await import('../commands/decide.ts')).decideSettings('reject', options, process.env, terminal),
  )
}

function asks(command: Command): Command {
  return clientOptions(command)
    .option('--zone <zone>', 'the zone in which times are shown (default: this machine’s)')
    .addOption(jsonOption())
}

function awaits(command: Command): Command {
  return command
    .option('-w, --wait', 'wait for its end and show its log meanwhile; exits with 1 unless it succeeds', false)
    .option('-f, --follow', 'the same; with --json, each line of its log is printed as it comes', false)
}

function decides(command: Command): Command {
  return command
    .argument('<job>', A_JOB)
    .option('--if-version <n>', 'only if it is still this version, which `pontual jobs show` prints', parseVersion)
}

function parseVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a version as `pontual jobs show` prints it, such as 3.')
}

function statusOption(statuses: readonly string[]): Option {
  return listOption('--status <status...>', `one or more of ${statuses.join(', ')}`, statuses)
}

/** Values out of a few, parted by spaces or commas; their case does not matter. */
function listOption(flags: string, description: string, accepted: readonly string[]): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((text, before = []) => [
    ...before,
    ...text.split(',').map((value) => choose(value, accepted)),
  ])
}

function choose(text: string, accepted: readonly string[]): string {
  const value = text.trim().toUpperCase().replaceAll('-', '_')
  if (accepted.includes(value)) return value
  const guess = nearest(value, accepted)
  const hint = guess === undefined ? '' : ` Did you mean ${guess}?`
  throw new InvalidArgumentError(`It must be one of ${accepted.join(', ')}.${hint}`)
}
