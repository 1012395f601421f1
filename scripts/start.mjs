import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { main, root } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  await ensureBuilt()
  // The command runs in this process, so that signals, input and exit code are its own.
  process.argv[1] = join(root, 'dist/cli/main.js')
  const [first] = process.argv.slice(2)
  const isAboutAll = ['-h', '--help', '-V', '--version'].includes(first)
  if (first === undefined || (first.startsWith('-') && !isAboutAll)) process.argv.splice(2, 0, 'dev')
  await import(pathToFileURL(process.argv[1]).href)
  return process.exitCode
})
