import type { Block } from './blocks.ts'

/** A file that the compiler is given, and where each of its lines stands on the page. */
export interface Module {
  readonly path: string
  readonly text: string
  readonly origins: readonly string[]
}

/**
 * The TypeScript of a page as modules of one folder. A block with a file name is that file, so that others may import it; one that comes a second time
 * begins a folder of its own with the files so far. A block that imports nothing continues the one before it.
 */
export function modulesOf(page: string, blocks: readonly Block[]): Module[] {
  const folder = page.replace(/\.md$/, '')
  const modules: Module[] = []
  let files = new Map<string, Module>()
  let place = folder
  let before: Module | undefined
  for (const block of blocks.filter(({ language }) => language === 'ts')) {
    const lines = block.text.split('\n').map((_line, index) => `${block.page}:${block.line + index}`)
    if (block.file !== null) {
      if (files.has(block.file)) {
        place = `${folder}/again-${block.line}`
        files = new Map([...files].map(([name, file]) => [name, { ...file, path: `${place}/${name}` }]))
        modules.push(...[...files].filter(([name]) => name !== block.file).map(([, file]) => file))
      }
      before = { path: `${place}/${block.file}`, text: block.text, origins: lines }
      files.set(block.file, before)
    } else {
      const path = `${place}/line-${block.line}.ts`
      const isContinued = before !== undefined && !/^import /m.test(block.text)
      if (isContinued && modules.at(-1) === before && /\/line-\d+\.ts$/.test(before!.path)) modules.pop()
      before = isContinued
        ? { path, text: `${before!.text}${block.text}`, origins: [...before!.origins.slice(0, -1), ...lines] }
        : { path, text: block.text, origins: lines }
    }
    modules.push(before)
  }
  return modules
}
