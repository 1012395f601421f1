import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initProject } from '../../../src/cli/commands/init.ts'
import { testTerminal } from './test-terminal.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pontual-init-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const ALL = ['.gitignore', 'jobs', 'package.json', 'pontual.config.ts', 'tsconfig.json']

function init(name = ''): string {
  const terminal = testTerminal()
  initProject(join(directory, name), { json: false }, terminal)
  return terminal.lines.join('')
}

describe('pontual init', () => {
  it('writes a project in a new directory, and says what to do next', () => {
    const said = init('My Jobs')
    expect(readdirSync(join(directory, 'My Jobs')).sort()).toEqual(ALL)
    expect(said).toMatch(/Next:\n {2}cd '.*My Jobs'\n {2}npm install\n {2}npx pontual dev\n/)
    const manifest = JSON.parse(readFileSync(join(directory, 'My Jobs/package.json'), 'utf8')) as object
    const dependencies: unknown = { pontual: `file:${resolve('.')}` }
    expect(manifest).toMatchObject({ name: 'my-jobs', type: 'module', private: true, dependencies })
  })

  it('tells a program what it has done', () => {
    const terminal = testTerminal()
    initProject(directory, { json: true }, terminal)
    expect(JSON.parse(terminal.lines.join(''))).toMatchObject({ directory, kept: [], remarks: [] })
  })

  it('leaves what a project has anyway as it is, and says what that needs', () => {
    writeFileSync(join(directory, 'package.json'), '{}')
    writeFileSync(join(directory, '.gitignore'), 'dist')
    const said = init()
    expect(readFileSync(join(directory, 'package.json'), 'utf8')).toBe('{}')
    expect(said).toContain('Left as it was: package.json, .gitignore')
    expect(said).toContain('package.json needs "type": "module"')
    expect(said).toMatch(/npm install file:\/\S+\n/)
    expect(readdirSync(directory).sort()).toEqual(ALL)
  })

  it('takes a package.json that cannot be read for one that says nothing', () => {
    writeFileSync(join(directory, 'package.json'), '{ "name": ')
    expect(init()).toContain('package.json needs "type": "module"')
  })

  it.each([
    ['a configuration', 'pontual.config.ts'],
    ['a configuration in JavaScript', 'pontual.config.mjs'],
  ])('writes nothing where there is %s', (_what, file) => {
    writeFileSync(join(directory, file), 'mine')
    expect(() => init()).toThrow(`Nothing was written: ${file} is there already.`)
    expect(readdirSync(directory)).toEqual([file])
  })

  it('writes nothing a second time', () => {
    init()
    const before = readFileSync(join(directory, 'jobs/greet.ts'), 'utf8')
    expect(() => init()).toThrow('pontual.config.ts, jobs/greet.ts, jobs/process-order.ts are there already.')
    expect(readFileSync(join(directory, 'jobs/greet.ts'), 'utf8')).toBe(before)
  })
})
