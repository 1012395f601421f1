import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type CancelTimer, systemEnv } from '../../clock.ts'
import { expand, type Glob, globOf, isGlob, nearestFolder } from '../config/glob.ts'
import type { Sources } from './messages.ts'

/** Editors write a file in several steps, and tools several files. */
const SETTLE_MS = 60
/** The clock of a file system may be behind by as much. */
const CLOCK_STEP_MS = 20
const SOURCE = /\.([mc]?[jt]s|json)$/

/** Waits until one of the user's own files changes. */
export class SourceWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  #files: ReadonlySet<string> = new Set()
  #globs: readonly Glob[] = []
  /** Files that were there at the last look. */
  #matched: ReadonlySet<string> = new Set()
  #isBroken = false
  #missing: string | null = null
  #lookedAt = 0
  readonly #pending = new Set<string>()
  #cancel: CancelTimer | null = null
  #onChange: (files: readonly string[]) => void = () => {}

  /** Whoever loads from here on sees what has changed until now. */
  begin(): void {
    this.#lookedAt = systemEnv.now()
    this.#pending.clear()
  }

  /** What has been loaded, and whether in vain: then whatever changes beside it may help. */
  follow({ files, patterns, missing }: Sources, isBroken: boolean): void {
    this.#files = new Set(files)
    this.#isBroken = isBroken
    this.#missing = missing
    this.#globs = patterns
      .filter(({ pattern }) => isGlob(pattern))
      .map(({ pattern, directory }) => globOf(pattern, directory))
    const found = this.#globs.map(expand)
    this.#matched = new Set(found.flatMap((each) => each.files))
    const folders = new Set([...files.map((file) => dirname(file)), ...found.flatMap((each) => each.folders)])
    for (const { pattern, directory } of patterns) if (!isGlob(pattern)) folders.add(dirname(join(directory, pattern)))
    if (missing !== null) folders.add(nearestFolder(dirname(missing)))
    for (const [folder, watcher] of this.#watchers) if (!folders.has(folder)) this.#drop(folder, watcher)
    for (const folder of folders) this.#watch(folder)
    // What was written while it was loaded may not have been seen.
    for (const file of files) this.#note(file)
  }

  /** Resolves with the files that have changed since `begin`. */
  async next(): Promise<readonly string[]> {
    return await new Promise((resolve) => {
      this.#onChange = resolve
      this.#settle()
    })
  }

  close(): void {
    this.#cancel?.()
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher)
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || !existsSync(folder)) return
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) this.#note(join(folder, name))
    })
    watcher.on('error', () => this.#drop(folder, watcher))
    this.#watchers.set(folder, watcher)
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close()
    this.#watchers.delete(folder)
  }

  #note(path: string): void {
    this.#seek(path)
    if (!this.#isOfInterest(path) || !this.#isChanged(path)) return
    this.#pending.add(path)
    this.#settle()
  }

  /** Comes nearer to a file that was missing when one of its folders comes. */
  #seek(path: string): void {
    const missing = this.#missing
    if (missing === null || !missing.startsWith(join(path, sep))) return
    this.#watch(nearestFolder(dirname(missing)))
    if (existsSync(missing)) this.#note(missing)
  }

  #settle(): void {
    this.#cancel?.()
    if (this.#pending.size === 0) return
    this.#cancel = systemEnv.after(SETTLE_MS, () => this.#onChange([...this.#pending]))
  }

  #isOfInterest(path: string): boolean {
    if (this.#files.has(path) || this.#globs.some((glob) => glob.matches(path))) return true
    if (this.#isBroken && SOURCE.test(path)) return true
    return this.#hasNewFiles(path)
  }

  /** A folder that has come may hold some. */
  #hasNewFiles(path: string): boolean {
    if (!this.#globs.some(({ base }) => path.startsWith(base) || base.startsWith(path)) || !isFolder(path)) return false
    const found = this.#globs.map(expand)
    for (const folder of found.flatMap((each) => each.folders)) this.#watch(folder)
    return found.some(({ files }) => files.some((file) => !this.#matched.has(file)))
  }

  #isChanged(path: string): boolean {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined || Math.max(stat.ctimeMs, stat.mtimeMs) > this.#lookedAt - CLOCK_STEP_MS
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
