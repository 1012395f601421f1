import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { type JobType, job } from './job-type.ts'

const run = (input: { n: number }) => input.n

/** What a caller without types may hand in. */
const declare = job as unknown as (id: string, options: unknown) => JobType

describe('the isolation of a job type', () => {
  it('is none by default', () => {
    expect(job('work', { run }).isolation).toBeNull()
  })

  it('is a kind, and then all is default', () => {
    expect(job('work', { run, isolate: 'thread' }).isolation).toEqual({
      kind: 'thread',
      handler: { from: 'text', text: '((input) => input.n\n)', file: import.meta.filename },
      memoryMb: null,
      warm: 0,
    })
  })

  it.each([
    ['a URL', new URL('file:///app/resize.js'), 'file:///app/resize.js'],
    ['a file URL as text', 'file:///app/resize.js', 'file:///app/resize.js'],
    ['a path', '/app/resize.js', '/app/resize.js'],
    ['a path of Windows', 'C:\\app\\resize.js', 'C:\\app\\resize.js'],
  ])('may name a module by %s', (_form, module, file) => {
    const type = job('resize', { isolate: { kind: 'process', module, export: 'resize', memoryMb: 256, warm: 2 } })
    expect(type.isolation).toEqual({
      kind: 'process',
      handler: { from: 'module', file, export: 'resize' },
      memoryMb: 256,
      warm: 2,
    })
    expect(refusal(() => type.run(undefined, undefined as never))).toMatchObject({ code: 'isolate.elsewhere' })
  })

  it.each<[string, unknown, string]>([
    ['an unknown kind', { run, isolate: 'fork' }, 'isolate must be one of thread, process, got "fork".'],
    ['an empty kind', { run, isolate: '' }, 'isolate must be one of thread, process, got "".'],
    ['zero', { run, isolate: 0 }, 'isolate must be one of thread, process, got 0.'],
    ['false', { run, isolate: false }, 'isolate must be one of thread, process, got false.'],
    ['null', { run, isolate: null }, 'isolate must be one of thread, process, got null.'],
    [
      'a relative module',
      { isolate: { kind: 'thread', module: './resize.js' } },
      "new URL('./file.js', import.meta.url)",
    ],
    ['a package', { isolate: { kind: 'thread', module: 'resize' } }, "import.meta.resolve('name')"],
    ['a module of another protocol', { isolate: { kind: 'thread', module: 'https://example.com/a.js' } }, 'a file URL'],
    [
      'a module beside run',
      { run, isolate: { kind: 'thread', module: '/a.js' } },
      'run must be left out beside isolate.module',
    ],
    ['neither', { isolate: 'thread' }, 'run must be a function, or isolate.module the file of one, got nothing.'],
    ['an export of no module', { run, isolate: { kind: 'thread', export: 'a' } }, 'isolate.export must be left out'],
    ['too little memory', { run, isolate: { kind: 'thread', memoryMb: 1 } }, 'memoryMb must be a whole number of 16-'],
    ['a run that is none', { run: 3, isolate: 'thread' }, 'run must be a function, got 3.'],
  ])('is refused with %s', (_what, options, message) => {
    expect(refusal(() => declare('work', options))).toMatchObject({
      code: 'option.invalid',
      message: expect.stringContaining(message) as string,
    })
  })

  class Secret {
    readonly #key = 1
    read() {
      return this.#key
    }
  }

  it.each<[string, unknown, string]>([
    ['a bound function', run.bind(null), 'it is bound or native and has no source'],
    ['a native function', Math.max, 'it is bound or native and has no source'],
    ['a class', Secret, 'it is a class'],
    ['a generator', async function* () {}, 'it is a generator'],
    [
      'a method that reads private fields',
      Reflect.get(Secret.prototype, 'read'),
      'its source does not stand by itself: Private field',
    ],
  ])('cannot be that of %s', (_what, given, reason) => {
    expect(refusal(() => declare('work', { run: given, isolate: 'process' }))).toMatchObject({
      code: 'isolate.unsendable',
      message: expect.stringContaining(`Job type "work": run cannot be sent to an isolate: ${reason}`) as string,
    })
  })

  it('is refused with an unknown option', () => {
    const options = { run, isolate: { kind: 'thread', memory: 64 } }
    expect(refusal(() => declare('work', options))).toMatchObject({ code: 'fields.invalid' })
  })

  it('leaves the way in which stacks are written as it was', () => {
    const before: unknown = Reflect.get(Error, 'prepareStackTrace')
    job('work', { run, isolate: 'thread' })
    expect(Reflect.get(Error, 'prepareStackTrace')).toBe(before)
  })

  it('leaves the types as they are', () => {
    const module = '/a.js'
    expectTypeOf(job('a', { run, isolate: 'thread' })).toEqualTypeOf<JobType<{ n: number }, number>>()
    expectTypeOf(job<{ n: number }>('b', { isolate: { kind: 'thread', module } })).toEqualTypeOf<
      JobType<{ n: number }>
    >()
    const input = z.object({ n: z.string().transform(Number) })
    expectTypeOf(job('c', { input, isolate: { kind: 'thread', module } })).toEqualTypeOf<
      JobType<{ n: number }, unknown, { n: string }>
    >()
    // @ts-expect-error A job type has a handler.
    expect(refusal(() => job('d', { queue: 'a' }))).toMatchObject({ code: 'option.invalid' })
  })
})
