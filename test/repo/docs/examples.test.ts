import { expect, it } from 'vitest'
import { type Block, blocksOf } from './blocks.ts'
import { compile } from './compile.ts'
import { modulesOf } from './modules.ts'
import { findPages, readPage } from './pages.ts'

async function allBlocks(): Promise<Map<string, Block[]>> {
  const pages = await findPages()
  return new Map(await Promise.all(pages.map(async (page) => [page, blocksOf(page, await readPage(page))] as const)))
}

it('every TypeScript example of every page compiles', { timeout: 180_000 }, async () => {
  const modules = [...(await allBlocks())].flatMap(([page, blocks]) => modulesOf(page, blocks))
  expect(modules.length).toBeGreaterThanOrEqual(30)
  // One that does not compile shows that the others are looked at, and that its place is found.
  const wrong = blocksOf(
    'wrong.md',
    "Text\n\n```ts\nimport { job } from 'pontual'\n```\n\n```ts\nconst wrong: number = 'text'\n```\n",
  )
  const said = await compile([...modules, ...modulesOf('wrong.md', wrong)])
  expect(said).toEqual([expect.stringMatching(/^wrong\.md:8: error TS2322/)])
})

it('no TypeScript example asks not to be compiled', async () => {
  const blocks = [...(await allBlocks()).values()].flat()
  const asking = blocks.filter(({ language, options }) => {
    return language === 'typescript' || (language === 'ts' && 'skip' in options)
  })
  expect(asking.map(({ page, line }) => `${page}:${line}`)).toEqual([])
})

it('every JSON example can be read', async () => {
  const blocks = [...(await allBlocks()).values()].flat().filter(({ language }) => language === 'json')
  for (const { page, line, text } of blocks) {
    expect(() => JSON.parse(text) as unknown, `${page}:${line}`).not.toThrow()
  }
})
