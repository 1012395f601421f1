import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type DashboardFile, findDashboardViolations, readDashboardFile, sharedBy } from './dashboard-rule.ts'
import { findCycle, listPaths } from './import-graph.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readDashboardFile(path, readFileSync(root + path, 'utf8'))
const files = listPaths(`${root}dashboard/src`)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => read(`dashboard/src/${path}`))

describe('the dashboard', () => {
  it('imports itself, its packages, types of src and what is shared', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap(findDashboardViolations)).toEqual([])
  })

  it('brings nothing along with what is shared', () => {
    const shared = new Set(files.flatMap(sharedBy))
    for (const path of shared) for (const more of sharedBy(read(path))) shared.add(more)
    expect([...shared].map(read).flatMap(findDashboardViolations)).toEqual([])
  })

  it('has no import cycle', () => {
    const graph = files.map(({ path, imports }) => ({
      path,
      imports: imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => target),
      lineCount: 1,
      hasOnlyReexports: false,
    }))
    expect(findCycle(graph)).toBeUndefined()
  })
})

/** Files that say how elements of a class look, by the class. Styles of a page stay when one has left it, so that each class has one home. */
function homesOfClasses(): Map<string, Set<string>> {
  const homes = new Map<string, Set<string>>()
  for (const path of listPaths(`${root}dashboard/src`).filter((each) => each.endsWith('.css'))) {
    const text = readFileSync(`${root}dashboard/src/${path}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    for (const [, selectors = ''] of text.matchAll(/([^{}]+)\{/g)) {
      for (const [, name = ''] of selectors.matchAll(/^\s*\.([\w-]+)\s*$/gm)) {
        homes.set(name, (homes.get(name) ?? new Set()).add(path))
      }
    }
  }
  return homes
}

it('a class of the dashboard looks the same wherever one comes from', () => {
  const homes = homesOfClasses()
  expect(homes.size).toBeGreaterThan(100)
  const shared = [...homes].filter(([, paths]) => paths.size > 1)
  expect(shared.map(([name, paths]) => `.${name} in ${[...paths].join(' and ')}`)).toEqual([])
})

describe('its import rule', () => {
  const file = (text: string, path = 'dashboard/src/pages/jobs/job-list.tsx'): DashboardFile =>
    readDashboardFile(path, text)

  it.each([
    ["import type { JobView } from '../../../../src/service/job-view.ts'"],
    ["export type { JobView } from '../../../../src/service/job-view.ts'"],
    ["import { jobs } from '../../../../src/service/i18n/en/jobs.ts'"],
    ["import { render } from 'preact'\nimport { useState } from 'preact/hooks'"],
    ["import '../../styles/base.css'"],
    ["const load = () => import('../workers/workers.tsx')"],
  ])('allows %s', (text) => {
    expect(findDashboardViolations(file(text))).toEqual([])
  })

  it.each([
    ["import { jobViewOf } from '../../../../src/service/job-view.ts'", 'src/service/job-view.ts'],
    ["import { type JobView } from '../../../../src/service/job-view.ts'", 'src/service/job-view.ts'],
    ["export * from '../../../../src/clock.ts'", 'src/clock.ts'],
    ["import { textsIn } from '../../../../src/service/i18n/say.ts'", 'src/service/i18n/say.ts'],
    ["import { readFile } from 'node:fs'", 'node:fs'],
    ["import React from 'react'", 'react'],
    ["import { signal } from '@preact/signals-core'", '@preact/signals-core'],
    ["import '../../../../test/browser/stage.ts'", 'test/browser/stage.ts'],
    ["import '../../../vite.config.ts'", 'dashboard/vite.config.ts'],
    ["import './job-list.test.tsx'", 'dashboard/src/pages/jobs/job-list.test.tsx'],
  ])('forbids %s', (text, target) => {
    expect(findDashboardViolations(file(text))).toEqual([`dashboard/src/pages/jobs/job-list.tsx imports ${target}`])
  })

  it('ends a file at 400 lines, and knows names that say nothing', () => {
    expect(findDashboardViolations(file('\n'.repeat(401)))).toHaveLength(1)
    expect(findDashboardViolations(file('', 'dashboard/src/parts/utils.ts'))).toHaveLength(1)
  })
})
