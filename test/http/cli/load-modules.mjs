import { loadProject } from '../../../src/cli/config/load-project.ts'
import { readAndWatch } from '../../../src/cli/typescript/read-typescript.ts'

// Loads modules as `pontual dev` does, and prints what becomes of each as a line of JSON: node … load-modules.mjs <directory> <file>…
const loaded = readAndWatch()
const [directory, ...files] = process.argv.slice(2)
for (const file of files) {
  const options = /config/.test(file) ? { config: file } : { config: 'none.config.mjs', jobs: [file] }
  const said = await loadProject(options, { directory, loaded }).then(
    ({ jobs }) => jobs.map(({ id }) => id).join(' '),
    ({ message }) => message,
  )
  process.stdout.write(`${JSON.stringify([file, said, loaded().map((each) => each.replace(`${directory}/`, ''))])}\n`)
}
