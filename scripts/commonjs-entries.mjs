import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { ScriptError } from './run.mjs'

/**
 * Writes entry points, and their declarations, for callers in CommonJS: Node loads ES modules with `require`, but TypeScript accepts that
 * only of declarations that say so. They refer to those of the ES modules, so both kinds of callers see the same types.
 */
export async function writeCommonJsEntries(dist, entries) {
  for (const entry of entries) {
    const values = await import(pathToFileURL(join(dist, `${entry}.js`)).href)
    const exported = new Map(exportsOf(join(dist, `${entry}.d.ts`)))
    writeFileSync(join(dist, `${entry}.d.cts`), declarations(`./${entry}.js`, exported, values))
    writeFileSync(join(dist, `${entry}.cjs`), `module.exports = require('./${entry}.js')\n`)
  }
}

/** The names that a file of re-exports exports, each with the file that it is from. */
function exportsOf(file) {
  return parse(file).flatMap((each) => {
    const source = each.source && join(dirname(file), each.source.value.replace(/\.ts$/, '.d.ts'))
    if (each.type === 'ExportNamedDeclaration') return each.specifiers.map(({ exported }) => [exported.name, source])
    if (each.type !== 'ExportAllDeclaration') throw new ScriptError(`${file} contains more than re-exports.`)
    return each.exported ? [[each.exported.name, source]] : exportsOf(source)
  })
}

function declarations(module, exported, values) {
  const mode = "with { 'resolution-mode': 'import' }"
  const types = [...exported.keys()].filter((name) => !(name in values))
  const lines = [`import type * as all from '${module}' ${mode}`]
  if (types.length > 0) lines.push(`export type { ${types.join(', ')} } from '${module}' ${mode}`)
  for (const [name, source] of exported) {
    if (!(name in values)) continue
    lines.push(`export declare const ${name}: typeof all.${name}`)
    if (isClass(values[name])) lines.push(instanceType(name, source))
  }
  return `${lines.join('\n')}\n`
}

/** A class is a type as well, with its parameters. */
function instanceType(name, source) {
  const declared = parse(source).map((each) => each.declaration ?? each)
  const found = declared.find((each) => each.type === 'ClassDeclaration' && each.id.name === name)
  const parameters = found?.typeParameters
  if (!parameters) return `export type ${name} = all.${name}`
  const text = readFileSync(source, 'utf8').slice(parameters.start, parameters.end)
  const names = parameters.params.map((each) => each.name.name).join(', ')
  return `export type ${name}${text} = all.${name}<${names}>`
}

function parse(file) {
  return parseSync(file, readFileSync(file, 'utf8')).program.body
}

function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
