import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface PublicName {
  readonly name: string
  /** Where it is declared, below the folder. */
  readonly path: string
  readonly isDocumented: boolean
}

const REEXPORT = /^export (?:type )?(?:\{([^}]*)\}|\*) from '(\.[^']+)'/gm

/** What an entry point gives out, with where that is declared and whether a comment stands over it. */
export function publicNames(folder: string, entry: string): PublicName[] {
  const text = readFileSync(join(folder, entry), 'utf8')
  return [...text.matchAll(REEXPORT)].flatMap(([, list, target = '']) => {
    const path = relative(folder, join(dirname(join(folder, entry)), target))
    if (list === undefined) return publicNames(folder, path)
    return namesIn(list).map((name) => declaration(folder, path, name))
  })
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}

function declaration(folder: string, path: string, name: string): PublicName {
  const text = readFileSync(join(folder, path), 'utf8')
  const declared = text.search(
    new RegExp(`^export (abstract |async )?(class|interface|type|function|const) ${name}\\b`, 'm'),
  )
  if (declared >= 0) return { name, path, isDocumented: text.slice(0, declared).endsWith('*/\n') }
  for (const [, list = '', target = ''] of text.matchAll(REEXPORT)) {
    if (namesIn(list).includes(name))
      return declaration(folder, relative(folder, join(folder, dirname(path), target)), name)
  }
  return { name, path, isDocumented: false }
}
