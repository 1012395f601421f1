import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root, ScriptError } from './run.mjs'

/** Packages that `pg` uses only if they are installed. */
const OPTIONAL = ['pg-native', 'pg-cloudflare']

/** Writes the content of files that a bundler does not take along into `embedded.js` of a built folder. */
export async function embed(dist) {
  const file = join(dist, 'embedded.js')
  const isolate = await bundled(join(dist, 'engine/sandbox/inside/main.js'))
  const renewal = await bundled(join(dist, 'store/driver/renewal-thread.js'))
  const contents = { EMBEDDED_SCHEMA: schema(), EMBEDDED_ISOLATE: isolate.code, EMBEDDED_RENEWAL: renewal.code }
  let text = readFileSync(file, 'utf8')
  for (const [name, content] of Object.entries(contents)) {
    const place = `export const ${name} = null;`
    if (!text.includes(place)) throw new ScriptError(`embedded.js has no line "${place}".`)
    text = text.replace(place, () => `export const ${name} = ${JSON.stringify(content)};`)
  }
  writeFileSync(file, text)
  writeFileSync(join(dist, 'LICENSES.txt'), licences([...isolate.packages, ...renewal.packages]))
}

function schema() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = join(root, 'sql')
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.sql'))
  const texts = files
    .sort()
    .map((file) => [file.replace(/\.sql$/, '').replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')])
  return { version, texts: Object.fromEntries(texts) }
}

/** A program as one text in CommonJS, which a thread runs without a file, and the packages that are in it. */
async function bundled(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    external: OPTIONAL,
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'silent' },
  })
  const inputs = Object.keys(metafile.inputs).map((path) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return { code: outputFiles[0].text, packages: inputs.filter((path) => path !== undefined) }
}

/** The licences of packages of which the built folder contains copies. */
function licences(packages) {
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, path)).find((each) => /^licen[cs]e/i.test(each))
    const text = file ? readFileSync(join(root, path, file), 'utf8') : `${license}, ${author?.name ?? author ?? ''}\n`
    return `${name} ${version}\n\n${text.trim()}\n`
  })
  return `embedded.js contains copies of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
