import { expect, it } from 'vitest'
import { addressOf, answer, DevProject, ownJobs } from './dev-project.ts'

/** Processes start slowly where many of them do. */
const LIMIT = { timeout: 120_000 }

const CONFIG = `import { defineConfig } from 'pontual/server'\nexport default defineConfig({ jobs: ['jobs/*.ts'] })\n`
const MANIFEST = '{ "type": "module" }'

function jobNamed(name: string): string {
  return `import { cron, job } from 'pontual'\nexport const it = job('${name}', { schedule: { trigger: cron('0 0 1 1 *') }, run: async (): Promise<number> => 1 })\n`
}

it(
  'takes over what changes, keeps to what it has while a file is broken, and its address all along',
  LIMIT,
  async () => {
    await using project = await DevProject.open({
      'package.json': MANIFEST,
      'pontual.config.ts': CONFIG,
      'jobs/a.ts': jobNamed('first'),
    })
    await using running = project.run('dev', '--memory', '--port', '0')
    const url = await addressOf(running)
    expect(await ownJobs(url)).toEqual(['first'])

    await project.write('jobs/a.ts', jobNamed('second'))
    await running.untilNoted(/Changed: jobs\/a\.ts\n/)
    await running.until(/Running again/)
    expect(await ownJobs(url)).toEqual(['second'])

    await project.write('jobs/a.ts', `${jobNamed('third')}enum Colour { Red }\n`)
    await running.untilNoted(
      /jobs\/a\.ts:3: TypeScript enum is not supported.*\n.*\n.*\n.*\nWaiting for a change\. What was/,
    )
    expect(await ownJobs(url)).toEqual(['second'])

    await project.write('jobs/a.ts', jobNamed('fourth'))
    await running.until(/(Running again[\s\S]*){2}/)
    expect(await ownJobs(url)).toEqual(['fourth'])

    await project.write('jobs/new.ts', jobNamed('fifth'))
    await running.until(/(Running again[\s\S]*){3}/)
    expect(await ownJobs(url)).toEqual(['fifth', 'fourth'])
    expect(await running.stop('SIGINT')).toMatchObject({ code: 0 })
  },
)

it('waits for files that cannot be loaded from the beginning, and for one that is missing', LIMIT, async () => {
  await using project = await DevProject.open({
    'package.json': MANIFEST,
    'pontual.config.ts': CONFIG.replace("['jobs/*.ts']", 'oops'),
    'jobs/a.ts': `import { name } from '../names/name.ts'\n${jobNamed('x').replace("'x'", 'name')}`,
  })
  await using running = project.run('dev', '--memory', '--port', '0')
  await running.untilNoted(/pontual\.config\.ts:2: /)
  await project.write('pontual.config.ts', CONFIG)
  await running.untilNoted(/Cannot find module 'names\/name\.ts' imported from jobs\/a\.ts\nWaiting for a change\.\n/)
  await project.write('names/name.ts', `export const name: string = 'found'\n`)
  await running.untilNoted(/Changed: names/)
  expect(await ownJobs(await addressOf(running))).toEqual(['found'])
})

it('says that the process of the jobs has ended, and starts it anew at the next change', LIMIT, async () => {
  await using project = await DevProject.open({
    'package.json': MANIFEST,
    'jobs.ts': `${jobNamed('short')}process.once('SIGUSR2', () => process.exit(7))\nprocess.stdout.write(\`<\${process.pid}>\`)\n`,
  })
  await using running = project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', '0')
  const url = await addressOf(running)
  const [, pid] = /<(\d+)>/.exec(await running.until(/<\d+>/)) ?? []
  process.kill(Number(pid), 'SIGUSR2')
  await running.untilNoted(/ended by itself: exit code 7\. Waiting for a change/)
  await project.write('jobs.ts', jobNamed('long'))
  await running.until(/Running again/)
  expect(await ownJobs(url)).toEqual(['long'])
})

it('ends with its message where nothing that a file says could help', LIMIT, async () => {
  await using project = await DevProject.open({ 'package.json': MANIFEST, 'jobs.ts': jobNamed('a') })
  await using running = project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', '0')
  const { port } = new URL(await addressOf(running))
  const second = await project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', port).ended
  const message: unknown = expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`)
  expect(second).toMatchObject({ code: 2, errors: message })
})

it.each([
  ['never ends', 'for (;;) {}\n'],
  ['waits for ever', 'await new Promise(() => {})\n'],
])('a file whose loading %s is given up when it changes, or on Ctrl+C', LIMIT, async (_, endless) => {
  await using project = await DevProject.open({
    'package.json': MANIFEST,
    'jobs.ts': `process.stdout.write(\`<\${process.pid}>\`)\n${endless}`,
  })
  await using running = project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', '0')
  await running.until(/<\d+>/)
  await project.write('jobs.ts', jobNamed('ready'))
  expect(await ownJobs(await addressOf(running))).toEqual(['ready'])
  await project.write('jobs.ts', `process.stdout.write(\`<again \${process.pid}>\`)\n${endless}`)
  const [, pid] = /<again (\d+)>/.exec(await running.until(/<again \d+>/)) ?? []
  expect(await running.stop('SIGINT')).toMatchObject({ code: 0 })
  expect(isAlive(Number(pid))).toBe(false)
})

it('ends on a second Ctrl+C though a job never gives up the processor', LIMIT, async () => {
  await using project = await DevProject.open({
    'package.json': MANIFEST,
    'jobs.ts': jobNamed('busy').replace('=> 1', '=> { process.stdout.write("<" + process.pid + ">"); for (;;) {} }'),
  })
  await using running = project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', '0')
  // It may be busy before it has answered.
  void answer(await addressOf(running), '/api/jobs/enqueue', { jobName: 'busy' }).catch(() => {})
  const [, pid] = /<(\d+)>/.exec(await running.until(/<\d+>/)) ?? []
  running.child.kill('SIGINT')
  await running.until(/Ctrl\+C again ends at once/)
  expect(await running.stop('SIGINT')).toMatchObject({ code: 0 })
  expect(isAlive(Number(pid))).toBe(false)
})

it(
  'waits for a change where a file ends the process that reads it; what it prints leaves JSON alone',
  LIMIT,
  async () => {
    await using project = await DevProject.open({
      'package.json': MANIFEST,
      'jobs.ts': `console.log('printed')\nprocess.exit(3)\n`,
    })
    await using running = project.run('dev', '--jobs', 'jobs.ts', '--memory', '--port', '0', '--json')
    await running.untilNoted(/printed/)
    await project.write('jobs.ts', jobNamed('calm'))
    const { url } = JSON.parse(await running.until(/\n/)) as { url: string }
    expect(await ownJobs(url)).toEqual(['calm'])
  },
)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
