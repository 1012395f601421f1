import { describe, expect, it } from 'vitest'
import { inherited, preloaded } from './inherited-arguments.ts'

describe('the arguments of an isolate', () => {
  it.each<[string, string[], string[]]>([
    [
      'loaders',
      ['--import', './loader.mjs', '-r', 'dotenv/config'],
      ['--import', './loader.mjs', '-r', 'dotenv/config'],
    ],
    ['conditions', ['-C', 'development', '--conditions=test'], ['-C', 'development', '--conditions=test']],
    ['flags of V8', ['--max-old-space-size=512', '--expose-gc'], ['--max-old-space-size=512', '--expose-gc']],
    ['source maps', ['--enable-source-maps'], ['--enable-source-maps']],
  ])('hold %s', (_what, argv, expected) => {
    expect(inherited(argv)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['a debugger', ['--inspect', '--inspect-brk=0', '--inspect-port', '9230']],
    ['a text to run', ['-e', 'run()', '--input-type=module', '--print', '1 + 1']],
    ['a watcher', ['--watch', '--watch-path', 'src']],
    ['a test runner', ['--test', '--test-only']],
  ])('do not hold %s', (_what, argv) => {
    expect(inherited([...argv, '--import', 'tsx'])).toEqual(['--import', 'tsx'])
  })
})

it('what is loaded first is told to a thread by its address', () => {
  expect(preloaded(['--import', 'file:///a.mjs', '--import', 'tsx', '-C', 'file:///b', '--import'])).toEqual([
    'file:///a.mjs',
  ])
})
