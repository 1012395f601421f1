import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveOut } from '../../harness/left-out.ts'
import { blocksOf } from './blocks.ts'
import { makePlace, type Place } from './made-package.ts'
import { commandsOf } from './page-script.ts'
import { findPages, isTutorial, readPage, translatedBy } from './pages.ts'
import { runTutorial } from './run-tutorial.ts'

const LIMIT = { timeout: 600_000 }

const tutorials = (await findPages()).filter(isTutorial)
const originals = tutorials.filter((page) => translatedBy(page) === null)

function hasShell(): boolean {
  const isThere = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0)
  if (!isThere) leaveOut('the tutorials', 'install bash and curl')
  return isThere
}

let place: Place

describe.skipIf(!hasShell())('a tutorial does what it says, in an empty directory', () => {
  beforeAll(async () => {
    place = await makePlace()
  }, 120_000)
  afterAll(() => place?.remove())

  it.concurrent.each(originals)('%s', LIMIT, async (page) => {
    await runTutorial(page, blocksOf(page, await readPage(page)), place)
  })

  it.each([
    ['a command that fails', '```sh\nfalse\n```\n', /wrong\.md:2: It ends with 1/],
    [
      'what is not printed',
      '```sh\necho one two\n```\n\n```text\none … three\n```\n',
      /wrong\.md:6: It does not print/,
    ],
    ['what ends too early', '```sh shows="ready"\ntrue\n```\n', /wrong\.md:2: It does not print/],
  ])('%s is noticed, with its place', LIMIT, async (_name, markdown, message) => {
    await expect(runTutorial('wrong.md', blocksOf('wrong.md', markdown), place)).rejects.toThrow(message)
  })
})

it.each(tutorials.filter((page) => translatedBy(page) !== null))(
  '%s has the commands of its original',
  async (page) => {
    const original = translatedBy(page)!
    const commands = commandsOf(blocksOf(page, await readPage(page)))
    expect(commands).toEqual(commandsOf(blocksOf(original, await readPage(original))))
  },
)
