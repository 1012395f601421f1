import { describe, expect, it } from 'vitest'
import { testTerminal } from '../../../test/http/cli/test-terminal.ts'
import { type Env, systemEnv } from '../../clock.ts'
import { createProgress } from './executions.ts'

/** What is written while work takes so many steps of so many milliseconds. */
function work(steps: number, stepMs: number, options: { isFollowed?: boolean; json?: boolean; columns?: number } = {}) {
  const { isFollowed = false, json = false, columns = 100 } = options
  const terminal = testTerminal({ isFollowed, columns })
  let now = 0
  const env: Env = { ...systemEnv, monotonic: () => now }
  const progress = createProgress(terminal, { json, env })
  for (let step = 1; step <= steps; step++) {
    now += stepMs
    progress.report(`${step} of ${steps}`)
  }
  progress.end()
  return terminal.notes
}

describe('progress', () => {
  it('rewrites its line before a person, and takes it away at the end', () => {
    expect(work(2, 100, { isFollowed: true })).toEqual(['\r\x1b[K1 of 2 …', '\r\x1b[K2 of 2 …', '\r\x1b[K'])
  })

  it('is not drawn more often than anybody can see', () => {
    expect(work(1_000, 1, { isFollowed: true }).length).toBeLessThan(30)
  })

  it('is a line every five seconds elsewhere, without anything that steers a terminal', () => {
    expect(work(10, 2_000)).toEqual(['3 of 10 …\n', '6 of 10 …\n', '9 of 10 …\n'])
  })

  it('is silent about what is soon done', () => {
    expect(work(10, 10)).toEqual([])
  })

  it('is silent with --json', () => {
    expect(work(10, 10_000, { json: true, isFollowed: true })).toEqual([])
  })

  it('never fills more than a line', () => {
    const [first = ''] = work(1, 1_000, { isFollowed: true, columns: 6 })
    expect(first).toBe('\r\x1b[K1 of …')
  })
})
