import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { dashboardFolder } from './build-dashboard.mjs'
import { requireSize } from './dashboard-size.mjs'
import { checkAddresses } from './package/check-addresses.mjs'
import { useInEmptyProject } from './package/empty-project.mjs'
import { pack } from './package/pack.mjs'
import { captureNpm, main, root, run, ScriptError, step, tool } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  await step('no file names a registry or a path of this machine', checkAddresses)
  await step('every package-lock.json is whole', checkLockfiles)
  await ensureBuilt()
  await step('the dashboard is small enough', () => console.log(requireSize(dashboardFolder)))
  const folder = mkdtempSync(join(tmpdir(), 'pontual-package-'))
  try {
    const tarball = await step('npm pack', () => pack(folder))
    await step('publint', () => runTool('publint', 'publint', [tarball, '--strict']))
    await step('attw', () => runTool('@arethetypeswrong/cli', 'attw', [tarball, '--profile', 'esm-only']))
    await step('knip', () => runTool('knip', 'knip', ['--no-config-hints']))
    await step('the packed package works in an empty project', () => useInEmptyProject(folder, tarball))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Also those of what is installed when it is asked for. */
async function checkLockfiles() {
  for (const folder of ['', 'bench', 'docs']) await captureNpm(['ci', '--dry-run'], { cwd: join(root, folder) })
}

async function runTool(packageName, binName, args) {
  const code = await run(...tool(packageName, binName, args))
  if (code !== 0) throw new ScriptError(`${binName} ended with ${code}.`)
}
