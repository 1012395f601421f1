import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, normalize } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { type Env, systemEnv } from '../../clock.ts'
import { Lines } from '../../engine/sandbox/lines.ts'
import { HAS_GROUP, killGroup } from '../../engine/sandbox/process-group.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { type JobContext, type JobType, job } from '../../job/type/job-type.ts'
import { invalidOption, requireList, requireOptions } from '../../time/require.ts'

/** Without it there is no `command.run`. */
export interface CommandRunOptions {
  /** The only programs that may be run, as absolute paths. */
  readonly programs: readonly string[]
  /** Whose jobs may run them. Default: those of every tenant. */
  readonly tenants?: readonly string[] | undefined
  /** All they see of an environment. Default: a `PATH` of the system's own programs. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Where they run. Default: the directory for temporary files. */
  readonly directory?: string | undefined
  readonly env?: Env | undefined
}

/** What an execution of `command.run` leaves behind; what it printed is in its log. */
export interface CommandRunOutput {
  readonly exitCode: number
  readonly lines: number
}

const MAX_ARGUMENTS = 200
const MAX_ARGUMENT_LENGTH = 8_192
const PLAIN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }

/** Whoever may name one of these may run anything. */
const RUNS_ANYTHING =
  /^((ba|da|z|k|c|tc|fi|a)?sh|busybox|env|xargs|sudo|su|doas|nohup|setsid|timeout|nice|chroot|unshare|cmd|powershell|pwsh)(\.exe)?$/i

/** `command.run`: runs a program of a list, without a shell. Sensitive: each job needs the yes of a second person. */
export function commandRun(options: CommandRunOptions): JobType<CommandRunInput, CommandRunOutput, unknown> {
  const rules = commandRules(options)
  return job<CommandRunInput, CommandRunOutput, unknown>('command.run', {
    input: inputSchema(rules.programs),
    sensitive: true,
    run: async (input, context) => {
      if (rules.tenants && !rules.tenants.includes(context.tenant)) {
        throw new NonRetryableError('This tenant may not run programs.')
      }
      return await runCommand(input, rules, context)
    },
  })
}

type CommandRunInput = z.output<ReturnType<typeof inputSchema>>

type CommandRules = ReturnType<typeof commandRules>

function inputSchema(programs: readonly string[]) {
  const argument = z
    .string()
    .max(MAX_ARGUMENT_LENGTH)
    .refine((text) => !text.includes('\0'), { error: 'It must not hold NUL.', params: { code: 'nul_forbidden' } })
  return z.strictObject({
    program: z.string().superRefine((program, context) => {
      if (programs.includes(program)) return
      const message = `It is not one of the programs that may be run: ${programs.join(', ')}.`
      context.addIssue({ code: 'custom', message, params: { code: 'program_forbidden', programs } })
    }),
    arguments: z.array(argument).max(MAX_ARGUMENTS).default([]),
  })
}

function commandRules(options: CommandRunOptions) {
  requireOptions(options, 'Options of command.run', ['programs', 'tenants', 'environment', 'directory', 'env'])
  const { programs, tenants, environment = PLAIN_ENVIRONMENT, directory = tmpdir(), env = systemEnv } = options
  for (const program of requireList(programs, 'programs')) requireProgram(program)
  if (!isAbsolute(directory)) throw invalidOption(directory, 'directory', 'an absolute path')
  return { programs, tenants, environment, directory, env }
}

function requireProgram(program: string): void {
  if (typeof program !== 'string' || !isAbsolute(program) || normalize(program) !== program) {
    throw invalidOption(program, 'programs', 'absolute paths such as "/usr/bin/pg_dump"')
  }
  if (!RUNS_ANYTHING.test(basename(program))) return
  throw new InvalidInputError(
    'option.invalid',
    `programs must not hold ${quote(program)}: it runs whatever it is given.`,
    {
      name: 'programs',
      received: program,
    },
  )
}

async function runCommand(
  { program, arguments: list }: CommandRunInput,
  { environment, directory, env }: CommandRules,
  { signal, logger }: JobContext,
): Promise<CommandRunOutput> {
  let lines = 0
  const end = await runProgram(
    { path: program, arguments: list, directory, environment },
    {
      env,
      signal,
      onLine: (stream, line) => {
        lines += 1
        logger[stream === 'stderr' ? 'warn' : 'info'](withoutControls(line), { stream })
      },
    },
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    throw notStarted(program, error)
  })
  if (end.exitCode === 0) return { exitCode: 0, lines }
  const how = end.exitCode === null ? `was ended by ${end.signal}` : `ended with code ${end.exitCode}`
  throw new PontualError('command.failed', `${program} ${how}.`, { program, ...end })
}

function notStarted(program: string, error: unknown): NonRetryableError {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? 'unknown'
  return new NonRetryableError(`${program} could not be started: ${code}.`, { cause: error })
}

/** Without colours, and whatever else a terminal would act upon. */
function withoutControls(line: string): string {
  return stripVTControlCharacters(line).replace(/[^\P{Cc}\t]/gu, '')
}

interface Program {
  readonly path: string
  readonly arguments: readonly string[]
  readonly directory: string
  /** All of its environment: nothing of this process goes with it. */
  readonly environment: Readonly<Record<string, string>>
}

interface ProgramSurroundings {
  readonly env: Env
  /** Ends the program, and all it has started, when it is aborted. */
  readonly signal: AbortSignal
  onLine(stream: 'stdout' | 'stderr', line: string): void
}

interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** How long a program has to end by itself once it was asked to. */
const GRACE_MS = 5_000

/** How long pipes may stay open after the end: something it has started, in another group, may hold them. */
const DRAIN_MS = 1_000

/** Runs a program without a shell, in a process group of its own. Rejects where it could not be started, or was aborted. */
async function runProgram(program: Program, around: ProgramSurroundings): Promise<ProgramEnd> {
  const { env, signal } = around
  signal.throwIfAborted()
  const child = spawn(program.path, program.arguments, {
    cwd: program.directory,
    env: { ...program.environment },
    shell: false,
    detached: HAS_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const lines = [linesOf(child, 'stdout', around), linesOf(child, 'stderr', around)]
  let cancelKill = () => {}
  const stop = () => {
    askToEnd(child)
    cancelKill = env.after(GRACE_MS, () => kill(child))
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await endOf(child, env)
    signal.throwIfAborted()
    return end
  } finally {
    signal.removeEventListener('abort', stop)
    cancelKill()
    // Whatever it has left behind ends with it.
    kill(child)
    for (const each of lines) each.flush()
  }
}

function linesOf(child: ChildProcess, stream: 'stdout' | 'stderr', around: ProgramSurroundings): Lines {
  const lines = new Lines({ onLine: (line) => around.onLine(stream, line), onEnd: () => {} })
  child[stream]?.setEncoding('utf8').on('data', (text: string) => lines.add(text))
  return lines
}

function endOf(child: ChildProcess, env: Env): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => {
      kill(child)
      const cancel = env.after(DRAIN_MS, () => resolve({ exitCode, signal }))
      child.once('close', () => {
        cancel()
        resolve({ exitCode, signal })
      })
    })
  })
}

function askToEnd({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(HAS_GROUP ? -pid : pid, 'SIGTERM')
  } catch {
    // It is gone.
  }
}

function kill(child: ChildProcess): void {
  if (child.pid !== undefined && HAS_GROUP) killGroup(child.pid)
  else child.kill('SIGKILL')
}
