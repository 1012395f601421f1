import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dependencyOn } from './dependency.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pontual-dependency-'))
  mkdirSync(join(directory, 'project/node_modules/pontual'), { recursive: true })
  writeFileSync(join(directory, 'pontual-1.2.3.tgz'), '')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function installed(resolved?: string): string {
  const packages = { 'node_modules/pontual': { version: '1.2.3', resolved } }
  writeFileSync(join(directory, 'project/node_modules/.package-lock.json'), JSON.stringify({ packages }))
  return dependencyOn(join(directory, 'project/node_modules/pontual'), '1.2.3')
}

describe('a project depends on the package that has written it', () => {
  it('by its version, where that is from a registry', () => {
    expect(installed('https://packages.example/pontual/-/pontual-1.2.3.tgz')).toBe('^1.2.3')
  })

  it('by its file, where that is a tarball', () => {
    expect(installed('file:../pontual-1.2.3.tgz')).toBe(`file:${join(directory, 'pontual-1.2.3.tgz')}`)
  })

  it('by its folder, where that is a clone', () => {
    expect(dependencyOn(directory, '1.2.3')).toBe(`file:${directory}`)
  })

  it.each([
    ['the tarball is gone', 'file:../gone.tgz'],
    ['npm does not say', undefined],
  ])('by its version, where %s', (_case, resolved) => expect(installed(resolved)).toBe('^1.2.3'))

  it('by its version, where something else than npm has installed it', () => {
    expect(dependencyOn(join(directory, 'project/node_modules/pontual'), '1.2.3')).toBe('^1.2.3')
  })
})
