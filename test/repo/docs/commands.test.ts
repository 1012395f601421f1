import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveOut } from '../../harness/left-out.ts'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'
import { type Block, blocksOf } from './blocks.ts'
import { makePlace, type Place } from './made-package.ts'
import { commandsOf, isRun, needsPostgres } from './page-script.ts'
import { findPages, isTutorial, readPage, translatedBy } from './pages.ts'
import { runPage } from './run-page.ts'

const LIMIT = { timeout: 300_000 }

const pages = (await findPages()).filter((page) => !isTutorial(page))
const blocksByPage = new Map<string, Block[]>()
for (const page of pages) blocksByPage.set(page, blocksOf(page, await readPage(page)))

const withCommands = pages.filter((page) => blocksByPage.get(page)!.some(({ language }) => language === 'sh'))
/** A translation that has the commands of its original is as good as that. */
const own = withCommands.filter((page) => {
  const original = blocksByPage.get(translatedBy(page) ?? '') ?? []
  return commandsOf(original).join('\n') !== commandsOf(blocksByPage.get(page)!).join('\n')
})
const isOnPostgres = (page: string) => needsPostgres(blocksByPage.get(page)!)

function hasShell(): boolean {
  const isThere = ['bash', 'curl', 'setsid'].every((name) => spawnSync(name, ['--version']).status === 0)
  if (!isThere) leaveOut('the commands of the documentation', 'install bash, curl and setsid')
  return isThere
}

let place: Place

describe.skipIf(!hasShell())('the commands of a page work, in the order in which they stand there', () => {
  beforeAll(async () => {
    place = await makePlace()
    const skipped = own.flatMap((page) => blocksByPage.get(page)!).filter(({ options }) => 'skip' in options)
    for (const { page, line, options } of skipped) leaveOut(`${page}:${line}`, `${options['skip']}`)
  })
  afterAll(() => place?.remove())

  it.concurrent.each(own.filter((page) => !isOnPostgres(page)))('%s', LIMIT, async (page) => {
    expect(blocksByPage.get(page)!.filter(isRun).length).toBeGreaterThanOrEqual(0)
    const { code, output } = await runPage(page, blocksByPage.get(page)!, place, '')
    expect(code, output.slice(-4_000)).toBe(0)
  })

  it.skipIf(isPostgresSkipped()).concurrent.each(own.filter(isOnPostgres))('%s', LIMIT, async (page) => {
    const database = await createDatabase()
    try {
      const { code, output } = await runPage(page, blocksByPage.get(page)!, place, database.url)
      expect(code, output.slice(-4_000)).toBe(0)
    } finally {
      await database.drop()
    }
  })

  it('one that fails is noticed, with its place', LIMIT, async () => {
    const blocks = blocksOf('wrong.md', '```sh\ntrue\n```\n\n```sh\nnpx pontual cron explain nonsense\n```\n')
    const { code, output } = await runPage('wrong.md', blocks, place, '')
    expect(code).toBe(2)
    expect(output).toContain('wrong.md:6: exit code 2')
  })

  it.each([
    ['one two', 0],
    ['one … three', 0],
    ['one two\none and three', 0],
    ['one two\n… four', 1],
    ['one and three\none two', 1],
    ['on', 1],
  ])('what stands behind a command is what it prints: %j', LIMIT, async (text, expected) => {
    const markdown = `\`\`\`sh\nprintf 'one two\\none and three\\n' >&2\nsaid=1\n\`\`\`\n\n\`\`\`text\n${text}\n\`\`\`\n\n\`\`\`sh\n[ $said = 1 ]\n\`\`\`\n`
    const { code, output } = await runPage(`printed ${text}`, blocksOf('printed.md', markdown), place, '')
    expect(code, output).toBe(expected)
    if (expected === 1) expect(output).toContain('printed.md:7: It does not print')
  })
})
