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
    if (isClass(values[name])) lines.push(instanceType(name, source, exported))
  }
  return `${lines.join('\n')}\n`
}

/** A class is a type as well, with its parameters. The types that they name have to be exported by the same entry point. */
function instanceType(name, source, exported) {
  const declared = parse(source).map((each) => each.declaration ?? each)
  const found = declared.find((each) => each.type === 'ClassDeclaration' && each.id.name === name)
  const parameters = found?.typeParameters
  if (!parameters) return `export type ${name} = all.${name}`
  const names = parameters.params.map((each) => each.name.name)
  const text = readFileSync(source, 'utf8')
  let written = ''
  let end = parameters.start
  for (const { start, name: named } of typesNamedIn(parameters)) {
    if (names.includes(named)) continue
    if (!exported.has(named))
      throw new ScriptError(`${name} has a parameter of type ${named}, which its entry point does not export.`)
    written += `${text.slice(end, start)}all.`
    end = start
  }
  written += text.slice(end, parameters.end)
  return `export type ${name}${written} = all.${name}<${names.join(', ')}>`
}

/** The identifiers of type references, in their order. */
function typesNamedIn(node) {
  if (typeof node !== 'object' || node === null) return []
  const own = node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' ? [node.typeName] : []
  const below = Object.values(node).flatMap((each) => (Array.isArray(each) ? each : [each]).flatMap(typesNamedIn))
  return [...own, ...below].toSorted((a, b) => a.start - b.start)
}

function parse(file) {
  return parseSync(file, readFileSync(file, 'utf8')).program.body
}

function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
