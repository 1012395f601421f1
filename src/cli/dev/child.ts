import process from 'node:process'
import { watchParent } from '../../engine/sandbox/inside/process-port.ts'
import { InvalidInputError, PontualError } from '../../errors.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { preloadPglite } from '../../store/driver/pglite-database.ts'
import { findConfig, loadProject, type ModulePattern, ProjectError } from '../config/load-project.ts'
import type { RunningService } from '../run-service.ts'
import { missingFile } from '../typescript/load-problem.ts'
import { type LoadedFiles, readAndWatch } from '../typescript/read-typescript.ts'
import { devLogger } from './dev-logger.ts'
import { type DevNode, prepareDevNode } from './dev-node.ts'
import type { Assignment, News, Order, SentProblem, Sources } from './messages.ts'

// The process in which the user's jobs run under `pontual dev`. Another takes its place when a file changes: code that was loaded cannot be loaded anew.

let node: DevNode | null = null
let running: RunningService | null = null
let opening: Promise<void> = Promise.resolve()
let isStopping = false

async function load(assignment: Assignment): Promise<void> {
  const { directory, data, demo, port } = assignment
  const loaded = readAndWatch()
  const patterns: ModulePattern[] = []
  const onPattern = (of: ModulePattern) => void patterns.push(of)
  try {
    const [{ config, jobs }] = await Promise.all([
      loadProject(assignment, { directory, loaded, onPattern }),
      data === null ? null : preloadPglite(),
    ])
    node = prepareDevNode({
      data,
      demo,
      config,
      jobs,
      port,
      environment: process.env,
      logger: devLogger(process.env),
    })
    say({ kind: 'loaded', sources: sourcesOf(assignment, loaded, patterns), jobs: declaredIn(jobs) })
  } catch (error) {
    const cause = error instanceof ProjectError ? error.cause : error
    const sources = { ...sourcesOf(assignment, loaded, patterns), missing: missingFile(cause) }
    say({ kind: 'unloadable', sources, problem: problemOf(error) })
  }
}

/** Names of the jobs that the code declares. */
function declaredIn(types: readonly AnyJobType[]): string[] {
  return types.flatMap(({ id, schedules }) => schedules.map(({ name }) => name ?? id))
}

function sourcesOf(assignment: Assignment, loaded: LoadedFiles, patterns: readonly ModulePattern[]): Sources {
  const config = findConfig(assignment.config, assignment.directory)
  return { files: [...new Set([...(config === null ? [] : [config]), ...loaded()])], patterns, missing: null }
}

async function open(order: Order & { kind: 'open' }): Promise<void> {
  try {
    running = (await node?.open(order)) ?? null
    if (running) say({ kind: 'running', url: running.url, dashboardUrl: running.dashboardUrl })
  } catch (error) {
    say({ kind: 'failed', problem: problemOf(error) })
  }
}

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await opening
  await running?.stop()
  process.exit()
}

function say(news: News): void {
  process.send?.(news)
}

function problemOf(error: unknown): SentProblem {
  const isInvalidInput = error instanceof InvalidInputError
  if (!(error instanceof PontualError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { code: 'unexpected', message, details: {}, isInvalidInput }
  }
  const { code, message, details } = error
  return { code, message, details: JSON.parse(JSON.stringify(details)) as SentProblem['details'], isInvalidInput }
}

process.on('message', (order: Order) => {
  if (order.kind === 'load') void load(order.assignment)
  else if (order.kind === 'open') opening = open(order)
  else void stop()
})
// Whoever started it is gone and cannot stop it any more. What it does is as safe as in a crash. Code that never gives up the processor does not hear of it.
watchParent()
process.on('disconnect', () => process.exit())
// A terminal sends Ctrl+C to both: what is to be done about it is said by the other.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => void stop())
say({ kind: 'ready' })
