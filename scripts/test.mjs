import { DATABASES, OTHERS } from './longer-tests.mjs'
import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  const asked = process.argv.slice(2)
  if (asked.length === 1 && asked[0] === 'others') return run(...vitest(OTHERS))
  const left = [...OTHERS, ...DATABASES].flatMap((path) => ['--exclude', excluded(path)])
  return run(...vitest(asked.length > 0 ? asked : left))
})

function excluded(path) {
  return path.endsWith('/') ? `${path}**` : path
}
