import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../../scripts/soak.mjs', import.meta.url))

/** Of the whole soak; each part takes its share. */
const MINUTES = process.env['PONTUAL_PROVE_MINUTES'] ?? '30'

/** The shortest in which something that is made wrong on purpose has to be seen. */
const CONTROL_MINUTES = '12'

describe('a soak', () => {
  it('I11, I19, I29: nothing grows, stops or comes late', async () => {
    const { code } = await soak(['--minutes', MINUTES, ...(process.env['PONTUAL_RECORD'] === '1' ? ['--record'] : [])])
    expect(code).toBe(0)
  })

  it('finds 100 bytes that are kept of each execution', async () => {
    const { code, output } = await soak(['--only', 'steady', '--minutes', CONTROL_MINUTES, '--control', 'leak'])
    expect(output).toMatch(/FAULT: The heap of node 1 grows/)
    expect(code).toBe(1)
  })

  it('finds tables that nobody clears', async () => {
    const { code, output } = await soak(['--only', 'steady', '--minutes', CONTROL_MINUTES, '--control', 'table'])
    expect(output).toMatch(/FAULT: executions_\w+ grows/)
    expect(code).toBe(1)
  })
})

/** Runs it to its end, in a process of its own, and shows what it says. */
async function soak(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}
