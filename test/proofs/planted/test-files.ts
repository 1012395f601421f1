import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let files: readonly string[] | undefined

/** The path of a test file in the repository, given the end of it without `.test.ts`. Throws unless it is unique. */
export function testFile(end: string): string {
  files ??= ['src', 'test'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  const [file, ...more] = files.filter((path) => `/${path}`.endsWith(`/${end}.test.ts`))
  if (file !== undefined && more.length === 0) return file
  throw new Error(`"${end}" names ${file === undefined ? 'no test file' : `several: ${[file, ...more].join(', ')}`}.`)
}
