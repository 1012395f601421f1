import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PONTUAL, RunningProgram } from './command.ts'

test('pontual dev keeps its jobs and their audit log in a directory, over restarts', { timeout: 120_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'pontual-dev-'))
  try {
    const entries: number[] = []
    for (const _ of ['first', 'second']) {
      await using running = new RunningProgram([PONTUAL, 'dev', '--data', join(data, 'kept'), '--port', '0'])
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/Ctrl\+C ends it/)) ?? ['']
      const { items } = (await (await fetch(`${url}/api/jobs?q=LimparCache`)).json()) as { items: { id: string }[] }
      await fetch(`${url}/api/jobs/${items[0]?.id}/pausar`, { method: 'POST' })
      await fetch(`${url}/api/jobs/${items[0]?.id}/retomar`, { method: 'POST' })
      const verdict = (await (await fetch(`${url}/api/jobs/audit-log/verify`)).json()) as Record<string, unknown>
      expect(verdict).toMatchObject({ isIntact: true })
      entries.push(Number(verdict['entries']))
      expect(await running.stop()).toMatchObject({ code: 0 })
    }
    expect(entries[1]).toBeGreaterThanOrEqual((entries[0] ?? 0) + 2)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
})
