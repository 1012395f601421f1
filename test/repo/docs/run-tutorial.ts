import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Block } from './blocks.ts'
import type { Place } from './made-package.ts'
import { ROOT } from './pages.ts'
import { patternOf, printedPattern } from './printed.ts'
import { type Surroundings, TutorialProgram } from './tutorial-program.ts'

const BIN = fileURLToPath(new URL('bin', import.meta.url))
const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href

/**
 * Does what a tutorial says, in the order in which it stands there, in an empty directory: writes its files and runs its commands. Behind the language of a
 * block may stand
 *
 * - `shows="text"`: it goes on until Ctrl+C, and the page goes on once this is printed; of a file, what goes on prints this once it has read it
 * - `until="text"`: it is ended as by Ctrl+C once this is printed
 * - `exit="1"`: the code with which it ends; else that is 0
 *
 * A block of `text` is what the commands before it print, line by line, with `…` for anything; `from="main"`: what goes on prints it.
 */
export async function runTutorial(page: string, blocks: readonly Block[], place: Place): Promise<void> {
  const port = await freePort()
  await using tutorial = new Tutorial(await surroundingsIn(place, page, port))
  for (const block of blocks) {
    const text = block.text.replaceAll(/(127\.0\.0\.1:|port: )3000/g, `$1${port}`)
    try {
      await tutorial.follow({ ...block, text })
    } catch (cause) {
      throw new Error(`${page}:${block.line}: ${(cause as Error).message}`, { cause })
    }
  }
}

class Tutorial implements AsyncDisposable {
  readonly #around: Surroundings
  /** What goes on while others come and go. */
  #main: TutorialProgram | null = null
  #latest: TutorialProgram | null = null

  constructor(around: Surroundings) {
    this.#around = around
  }

  async follow(block: Block): Promise<void> {
    if (block.file !== null) await this.#write(block.file, block)
    else if (block.language === 'text') await this.#expect(block)
    else if (block.language === 'sh') await this.#run(block)
  }

  async #write(file: string, { text, options: { shows } }: Block): Promise<void> {
    const path = join(this.#around.directory, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    if (shows !== undefined) await this.#main?.shows(patternOf(shows))
  }

  async #run({ text, options: { shows, until, exit = '0' } }: Block): Promise<void> {
    this.#latest = new TutorialProgram(text, this.#around)
    if (shows !== undefined) {
      await this.#main?.pressCtrlC()
      this.#main = this.#latest
      await this.#main.shows(patternOf(shows))
    } else if (until !== undefined) {
      await this.#latest.shows(patternOf(until))
      await this.#latest.pressCtrlC()
    } else await this.#latest.endsWith(Number(exit))
  }

  async #expect({ text, options: { from } }: Block): Promise<void> {
    await (from === 'main' ? this.#main : this.#latest)?.prints(printedPattern(text))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#latest?.[Symbol.asyncDispose]()
    await this.#main?.[Symbol.asyncDispose]()
  }
}

/** An empty directory below which the package is installed, with the commands of pages. */
async function surroundingsIn(place: Place, page: string, port: number): Promise<Surroundings> {
  const run = join(place.folder, 'tutorials', page.replaceAll(/[/.]/g, '-'))
  const directory = join(run, 'work')
  await mkdir(directory, { recursive: true })
  // Here it goes on in the terminal in which it was started.
  const pontual = `#!/usr/bin/env bash\nexec "${process.execPath}" "${place.package}/dist/cli/main.js" "$@"\n`
  await writeFile(join(run, 'pontual'), pontual, { mode: 0o755 })
  const { PATH = '', HOME = '' } = process.env
  const environment = {
    PATH: `${run}:${BIN}:${PATH}`,
    HOME,
    BIN,
    ROOT,
    LOADER,
    REAL_NODE: process.execPath,
    REAL_NPM: join(dirname(process.execPath), 'npm'),
    PONTUAL_PORT: String(port),
  }
  return { directory, environment }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
