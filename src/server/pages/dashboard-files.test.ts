import { expect, it } from 'vitest'
import { builtDashboard } from '../../../test/browser/built-dashboard.ts'
import { findDashboard, readDashboard } from './dashboard-files.ts'

it('a dashboard that is not wanted is not looked for', () => {
  expect(findDashboard(false)).toBeNull()
})

it('one that was asked for has to be there', () => {
  using built = builtDashboard({ 'index.html': '<head></head>' })
  expect(findDashboard({ folder: built.folder })).toBe(built.folder)
  expect(() => findDashboard({ folder: '/nowhere' })).toThrow(
    'There is no dashboard in "/nowhere": in a clone npm run build makes it; the package has it in dist/dashboard.',
  )
  // @ts-expect-error there is no such option
  expect(() => findDashboard({ folders: '/nowhere' })).toThrow('folder')
})

it('only what lies in its folder can be had, and nothing that begins with a dot', async () => {
  using built = builtDashboard()
  const files = await readDashboard(built.folder)
  for (const name of ['pontual.svg', 'assets/main-AbCd1234.js']) expect(files.file(name)).toBeDefined()
  for (const name of ['.stamp', '.vite/manifest.json', 'index.html', '../x', '', 'assets', 'constructor']) {
    expect(files.file(name)).toBeUndefined()
  }
})

it('the way back to the root comes before whatever is found by it', async () => {
  using built = builtDashboard()
  const files = await readDashboard(built.folder)
  expect(files.page('../')).toMatch(/^<!doctype html><html lang="en"><head><base href="\.\.\/"><title>/)
})

it('what has no head is no page', async () => {
  using built = builtDashboard({ 'index.html': 'half a pa' })
  await expect(readDashboard(built.folder)).rejects.toMatchObject({ code: 'dashboard.damaged' })
})
