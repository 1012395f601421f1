import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the tests pass on Node 24', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pontual-node-24-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    // The npm package `node` carries the binary, so that no other way to install it is needed.
    const install = spawnSync('npm', ['install', 'node@24', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
    })
    expect(install.status, String(install.stderr)).toBe(0)
    const node = join(folder, 'node_modules', '.bin', 'node')
    expect(String(spawnSync(node, ['--version']).stdout)).toMatch(/^v24\./)
    const tests = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'runner'], {
      stdio: 'inherit',
    })
    expect(tests.status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
