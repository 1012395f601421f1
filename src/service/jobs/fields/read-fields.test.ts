import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ana, fields, openStage, refusalOf, type Stage } from '../../../../test/http/service/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await stage.service.administration.putCalendar(ana, 'feriados', { type: 'holiday', dates: ['2026-01-01'] })
  await stage.service.administration.putCalendar(ana, 'nunca', { type: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6] })
})
afterAll(async () => await stage[Symbol.asyncDispose]())

const create = (change: object) => stage.service.jobs.create(ana, { ...fields(), ...change })
const simple = { type: 'simple', startAt: '2026-01-02T00:00:00Z', intervalMs: 60_000, repeatCount: -1 }

describe('what is missing takes its default', () => {
  it('as the service has it', async () => {
    expect(await create({})).toMatchObject({
      timeZone: 'UTC',
      priority: 'MEDIUM',
      timeoutMinutes: 30,
      retryCount: 3,
      requiresTwoStepExecution: false,
      misfirePolicy: 'smart',
      misfireThresholdSeconds: 60,
      overlap: 'allow',
      tags: [],
      calendar: null,
      payload: null,
      description: null,
      status: 'ACTIVE',
    })
  })

  it('but what the job type says of itself goes before it', async () => {
    expect(await create({ jobType: 'Falhar' })).toMatchObject({ retryCount: 0, timeoutMinutes: 30 })
    expect(await create({ jobType: 'pedido' })).toMatchObject({ timeoutMinutes: null })
    expect(await create({ jobType: 'DeletarDadosObsoletos' })).toMatchObject({ requiresTwoStepExecution: true })
  })

  it('and retries wait for 1, 2 and 4 minutes', async () => {
    const { id } = await create({ retryCount: 5 })
    const [job] = (await (await stage.test.app.opened()).store.jobs.find([id])) ?? []
    expect(job?.definition.retry).toMatchObject({ retries: 5, intervalsMs: [1, 2, 4, 8, 16].map((n) => n * 60_000) })
    expect(job?.definition.maxAttempts).toBe(6)
  })
})

describe('a field is accepted', () => {
  it.each<[string, object, object]>([
    ['name of 3 characters', { name: 'abc' }, { name: 'abc' }],
    ['name of 255 characters', { name: 'x'.repeat(255) }, { name: 'x'.repeat(255) }],
    ['name in normal form', { name: 'Cafe\u0301 1' }, { name: 'Café 1' }],
    ['name with emoji', { name: 'importar 🚀' }, { name: 'importar 🚀' }],
    ['description with lines', { description: 'a\r\nb' }, { description: 'a\nb' }],
    ['description that is empty', { description: '' }, { description: null }],
    ['description of 1000 characters', { description: 'd'.repeat(1_000) }, { description: 'd'.repeat(1_000) }],
    ['weekly cron', { cronExpression: '0 0 * * 0' }, { cronExpression: '0 0 * * 0' }],
    ['macro', { cronExpression: '@daily' }, { cronExpression: '@daily' }],
    [
      'zone',
      { timeZone: 'America/Sao_Paulo' },
      { timeZone: 'America/Sao_Paulo', nextExecution: '2026-01-01T05:00:00.000Z' },
    ],
    ['zone in another spelling', { timeZone: 'america/sao_paulo' }, { timeZone: 'America/Sao_Paulo' }],
    ['shortest timeout', { timeoutMinutes: 5 }, { timeoutMinutes: 5 }],
    ['longest timeout', { timeoutMinutes: 240 }, { timeoutMinutes: 240 }],
    ['no retries', { retryCount: 0 }, { retryCount: 0 }],
    ['10 retries', { retryCount: 10 }, { retryCount: 10 }],
    ['policy by another name', { misfirePolicy: 'fireImmediately' }, { misfirePolicy: 'fireNow' }],
    ['overlap up to a number', { overlap: { atMost: 3 } }, { overlap: { atMost: 3 } }],
    ['tags, each once', { tags: ['a', 'b', 'a'] }, { tags: ['a', 'b'] }],
    ['calendar', { calendar: 'feriados' }, { calendar: 'feriados', nextExecution: '2026-01-02T02:00:00.000Z' }],
    ['payload', { payload: { month: '01' } }, { payload: { month: '01' } }],
    ['payload of nothing', { payload: null }, { payload: null }],
    [
      'trigger of another kind',
      { cronExpression: undefined, trigger: simple },
      { cronExpression: null, trigger: { ...simple, startAt: '2026-01-02T00:00:00.000Z' } },
    ],
    [
      'trigger that says the same',
      { trigger: { type: 'cron', expression: '0 2 * * *', timeZone: 'UTC' } },
      { cronExpression: '0 2 * * *' },
    ],
    [
      'trigger in the zone that is given',
      {
        cronExpression: undefined,
        timeZone: 'Asia/Tokyo',
        trigger: { type: 'cron', expression: '0 2 * * *', timeZone: 'Asia/Tokyo' },
      },
      { timeZone: 'Asia/Tokyo' },
    ],
  ])('%s', async (_, change, expected) => {
    expect(await create(change)).toMatchObject(expected)
  })
})

describe('a field is refused, and named', () => {
  it.each<[string, object, object]>([
    ['no name', { name: undefined }, { '/name': 'required' }],
    ['name that is empty', { name: '' }, { '/name': 'required' }],
    ['name of 2 characters', { name: 'ab' }, { '/name': 'length_invalid' }],
    ['name of 256 characters', { name: 'x'.repeat(256) }, { '/name': 'length_invalid' }],
    ['name of a million characters', { name: 'x'.repeat(1_000_000) }, { '/name': 'length_invalid' }],
    ['name with a line', { name: 'a\nbc' }, { '/name': 'characters_forbidden' }],
    ['name with a NUL', { name: 'a\u0000bc' }, { '/name': 'characters_forbidden' }],
    ['name that turns around', { name: 'abc\u202Edef' }, { '/name': 'characters_forbidden' }],
    ['name with zero width', { name: 'abc\u200Bdef' }, { '/name': 'characters_forbidden' }],
    ['name with half a character', { name: 'abc\uD800' }, { '/name': 'characters_forbidden' }],
    ['name with space around', { name: ' abc' }, { '/name': 'surrounding_space' }],
    ['name that is a number', { name: 5 }, { '/name': 'type_invalid' }],
    ['description of 1001 characters', { description: 'd'.repeat(1_001) }, { '/description': 'length_invalid' }],
    ['description with a bell', { description: 'ding\u0007' }, { '/description': 'characters_forbidden' }],
    ['no job type', { jobType: undefined }, { '/jobType': 'type_invalid' }],
    ['job type nobody has', { jobType: 'Nobody' }, { '/jobType': 'job_type_unknown' }],
    ['job type of JavaScript', { jobType: 'constructor' }, { '/jobType': 'job_type_unknown' }],
    ['job type that is a path', { jobType: '../x' }, { '/jobType': 'job_type_unknown' }],
    ['job type of 101 characters', { jobType: 'x'.repeat(101) }, { '/jobType': 'length_invalid' }],
    ['neither cron nor trigger', { cronExpression: undefined }, { '/cronExpression': 'required' }],
    ['cron that is null', { cronExpression: null }, { '/cronExpression': 'required' }],
    ['cron and another trigger', { trigger: simple }, { '/trigger': 'contradiction' }],
    [
      'trigger of no kind',
      { cronExpression: undefined, trigger: { type: 'never' } },
      { '/trigger': 'trigger_invalid' },
    ],
    [
      'trigger that is past',
      { cronExpression: undefined, trigger: { type: 'once', at: '2025-12-31T00:00:00Z' } },
      { '/trigger': 'never_fires' },
    ],
    [
      'trigger in another zone',
      {
        cronExpression: undefined,
        timeZone: 'UTC',
        trigger: { type: 'cron', expression: '0 2 * * *', timeZone: 'Asia/Tokyo' },
      },
      { '/trigger': 'contradiction' },
    ],
    [
      'trigger with seconds',
      { cronExpression: undefined, trigger: { ...simple, intervalMs: 1_000 } },
      { '/trigger': 'seconds_not_allowed' },
    ],
    [
      'trigger with seconds inside',
      {
        cronExpression: undefined,
        trigger: { type: 'jittered', withinMs: 5, identity: 'x', trigger: { ...simple, intervalMs: 1 } },
      },
      { '/trigger': 'seconds_not_allowed' },
    ],
    [
      'trigger with a long cron',
      {
        cronExpression: undefined,
        trigger: { type: 'cron', timeZone: 'UTC', expression: `${'1,'.repeat(60)}2 * * * *` },
      },
      { '/trigger': 'length_invalid' },
    ],
    [
      'interval of seconds',
      {
        cronExpression: undefined,
        trigger: {
          type: 'calendarInterval',
          startAt: '2026-01-02T00:00:00Z',
          every: 59,
          unit: 'second',
          timeZone: 'UTC',
        },
      },
      { '/trigger': 'seconds_not_allowed' },
    ],
    ['zone of Mars', { timeZone: 'Mars/X' }, { '/timeZone': 'zone_unknown' }],
    ['zone that is a path', { timeZone: '../../etc/passwd' }, { '/timeZone': 'zone_unknown' }],
    ['zone that is an offset', { timeZone: '+03:00' }, { '/timeZone': 'zone_unknown' }],
    ['zone without end', { timeZone: 'A'.repeat(10_000) }, { '/timeZone': 'zone_unknown' }],
    ['zone that is a number', { timeZone: 3 }, { '/timeZone': 'zone_unknown' }],
    ['calendar that there is not', { calendar: 'outro' }, { '/calendar': 'calendar_unknown' }],
    ['calendar that leaves nothing', { calendar: 'nunca' }, { '/cronExpression': 'cron_unsatisfiable' }],
    ['priority of no kind', { priority: 'URGENT' }, { '/priority': 'priority_invalid' }],
    ['timeout of 4 minutes', { timeoutMinutes: 4 }, { '/timeoutMinutes': 'out_of_range' }],
    ['timeout of 241 minutes', { timeoutMinutes: 241 }, { '/timeoutMinutes': 'out_of_range' }],
    ['timeout of half a minute', { timeoutMinutes: 30.5 }, { '/timeoutMinutes': 'type_invalid' }],
    ['timeout in text', { timeoutMinutes: '30' }, { '/timeoutMinutes': 'type_invalid' }],
    ['timeout without end', { timeoutMinutes: Number.POSITIVE_INFINITY }, { '/timeoutMinutes': 'type_invalid' }],
    ['-1 retries', { retryCount: -1 }, { '/retryCount': 'out_of_range' }],
    ['-0 retries', { retryCount: -0 }, { '/retryCount': 'type_invalid' }],
    ['11 retries', { retryCount: 11 }, { '/retryCount': 'out_of_range' }],
    ['retries of a durable job', { jobType: 'pedido', retryCount: 3 }, { '/retryCount': 'durable' }],
    ['sensitive in text', { requiresTwoStepExecution: 'yes' }, { '/requiresTwoStepExecution': 'type_invalid' }],
    [
      'sensitive type that is to be none',
      { jobType: 'DeletarDadosObsoletos', requiresTwoStepExecution: false },
      { '/requiresTwoStepExecution': 'sensitive_type' },
    ],
    [
      'policy of simple triggers only',
      { misfirePolicy: 'rescheduleNowWithExistingCount' },
      { '/misfirePolicy': 'misfire_policy_unknown' },
    ],
    ['policy of no kind', { misfirePolicy: 'constructor' }, { '/misfirePolicy': 'misfire_policy_unknown' }],
    ['threshold below zero', { misfireThresholdSeconds: -1 }, { '/misfireThresholdSeconds': 'out_of_range' }],
    ['overlap of no kind', { overlap: 'sometimes' }, { '/overlap': 'overlap_invalid' }],
    ['overlap of none', { overlap: { atMost: 0 } }, { '/overlap': 'overlap_invalid' }],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, { '/tags': 'length_invalid' }],
    ['a tag that is empty', { tags: [''] }, { '/tags': 'required' }],
    ['payload over 256 KiB', { payload: { month: 'x'.repeat(262_144) } }, { '/payload': 'payload_too_large' }],
    ['payload that does not fit', { payload: { month: 1 } }, { '/payload/month': 'payload_invalid' }],
    [
      'payload that does not fit inside',
      { jobType: 'Estrito', payload: { path: { to: 1 } } },
      { '/payload/path/to': 'payload_invalid' },
    ],
    ['payload that is missing', { jobType: 'Estrito' }, { '/payload': 'payload_invalid' }],
    [
      'fields that are the server’s',
      { id: 'x', status: 'ACTIVE', approvedByUserId: 'me', clienteId: 'globex' },
      {
        '/id': 'unknown_field',
        '/status': 'unknown_field',
        '/approvedByUserId': 'unknown_field',
        '/clienteId': 'unknown_field',
      },
    ],
    [
      'all that is wrong at once',
      { name: 'x', timeoutMinutes: 1, cronExpression: 'abc' },
      { '/name': 'length_invalid', '/timeoutMinutes': 'out_of_range', '/cronExpression': 'cron_invalid' },
    ],
  ])('%s', async (_, change, expected) => {
    expect(await refusalOf(create(change))).toEqual(expected)
  })
})

describe('a cron expression is refused', () => {
  it.each<[string, string]>([
    ['2 0 * *', 'cron_invalid'],
    ['60 * * * *', 'cron_invalid'],
    ['abc', 'cron_invalid'],
    ['', 'required'],
    ['   ', 'required'],
    ['*', 'cron_invalid'],
    ['0 0 30 2 *', 'cron_unsatisfiable'],
    ['0 0 31 4,6 *', 'cron_unsatisfiable'],
    ['*/0 * * * *', 'cron_invalid'],
    ['*/61 * * * *', 'cron_invalid'],
    ['-1 * * * *', 'cron_invalid'],
    ['1e1 * * * *', 'cron_invalid'],
    ['０ * * * *', 'cron_invalid'],
    ['* 24 * * *', 'cron_invalid'],
    ['* * 0 * *', 'cron_invalid'],
    ['* * * 13 *', 'cron_invalid'],
    ['* * * * 8', 'cron_invalid'],
    ['*/1/1/1 * * * *', 'cron_invalid'],
    ['@reboot', 'cron_invalid'],
    ['@every 1ns', 'cron_invalid'],
    ['0 0 * * *\n* * * * *', 'cron_invalid'],
    ['TZ=../x 0 0 * * *', 'cron_invalid'],
    ['0 0 1 1 * 1970', 'cron_invalid'],
    ['* * * * * *', 'cron_invalid'],
    ['@every_second', 'seconds_not_allowed'],
    [`${'1,'.repeat(20_000)}1 * * * *`, 'length_invalid'],
    [`0 0 * * *${' '.repeat(92)}`, 'length_invalid'],
  ])('%j', async (cronExpression, code) => {
    expect(await refusalOf(create({ cronExpression }))).toEqual({ '/cronExpression': code })
    const answer = await stage.service.jobs.validateCron(ana, 'new', { cronExpression })
    expect(answer).toMatchObject({ valid: false, error: expect.any(String) as unknown, upcoming: [] })
  })

  it('with a message that names the field and what is accepted', async () => {
    await expect(create({ cronExpression: '60 * * * *' })).rejects.toMatchObject({
      problems: [{ message: expect.stringMatching(/minute must be 0-59, got "60"/) as unknown }],
    })
  })
})

it('seconds are accepted where the tenant allows them', async () => {
  await using other = await openStage()
  const { service } = other
  await service.administration.updateSettings(ana, { allowsSeconds: true }, null)
  const job = await service.jobs.create(ana, fields({ cronExpression: '*/5 * * * * *' }))
  expect(job.nextExecution).toBe('2026-01-01T00:00:05.000Z')
  expect(await service.jobs.validateCron(ana, 'new', { cronExpression: '@every_second' })).toMatchObject({
    valid: true,
  })
})
