import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { examineMachine } from './examine-machine.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pontual-machine-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Every deadline is over in a moment. */
const impatient = { ...systemEnv, after: (_ms: number, call: () => void) => systemEnv.after(300, call) }

it.each([
  ['waits for ever', 'await new Promise(() => {})\nexport default {}\n', 'not been loaded within 20 s'],
  ['throws', `throw new Error('boom')\n`, 'boom'],
  ['throws no error', `throw 'boom'\n`, 'boom'],
  ['has a field too many', 'export default { jbos: [] }\n', 'Did you mean "jobs"?'],
])('a configuration that %s fails', async (_, text, told) => {
  writeFileSync(join(directory, 'pontual.config.mjs'), text)
  const findings = []
  for await (const finding of examineMachine(directory, {}, impatient)) findings.push(finding)
  expect(findings.find(({ check }) => check === 'configuration')).toMatchObject({
    verdict: 'fail',
    text: expect.stringContaining(told) as string,
  })
})
