import fc from 'fast-check'
import { globOf } from '../../../../src/cli/config/glob.ts'
import { startSettings } from '../../../../src/cli/start-settings.ts'
import { VARIABLES } from '../../../../src/cli/variables.ts'
import { overriddenTrigger, readOverrides, variableOf } from '../../../../src/engine/app/cron-overrides.ts'
import { silentLogger } from '../../../../src/logger.ts'
import { cron } from '../../../../src/time/triggers/cron.ts'
import { type Check, check } from '../check.ts'
import { reading, requireEqual, requireThat, requireUnpolluted, within } from '../expectations.ts'
import { anyText, anyTextOrLong, damaged } from '../texts.ts'

const READ_MS = 250
const SOUND: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://localhost/pontual',
  PONTUAL_JWT_SECRET: 'x'.repeat(40),
}

const setting = fc.oneof(
  anyText,
  fc.constantFrom(
    'true',
    'false',
    '0',
    '1',
    '65535',
    '65536',
    'required',
    'preferred',
    'silent',
    'a,b',
    'none',
    '10.1.0.0/16',
  ),
  fc.webUrl(),
)
const environment = fc.dictionary(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...Object.keys(VARIABLES)) },
    fc.string().map((text) => `PONTUAL_${text}`),
  ),
  setting,
  { maxKeys: 5, noNullPrototype: true },
)

const settings = check(
  {
    target: 'readers',
    name: 'settings of the environment are read, or refused by the name of the variable',
    inputs: 'environments of a service',
  },
  () =>
    fc.property(environment, (variables) => {
      const codes = [
        /^setting\./,
        'duration.invalid',
        'option.invalid',
        'fields.invalid',
        /^identity\./,
        /^flag\./,
        /^key/,
        /^encryption\./,
        /^mail\./,
      ]
      const read = within(READ_MS, 'reading them', () =>
        reading(() => startSettings({ ...SOUND, ...variables }), codes),
      )
      requireUnpolluted()
      if (!('refusal' in read)) return
      const isNamed = /PONTUAL_|DATABASE_URL/.test(read.refusal.message)
      requireThat(isNamed, () => `no variable is named: ${read.refusal.message}`)
    }),
)

const overrides = check(
  {
    target: 'readers',
    name: 'an override of a cron is used where it is valid, and never harms',
    inputs: 'overrides of cron expressions',
  },
  () =>
    fc.property(anyText, fc.oneof(damaged(fc.constant('0 3 * * *')), anyTextOrLong), (name, expression) => {
      const find = readOverrides({ env: { [variableOf(name)]: expression } }, silentLogger)
      const own = cron('0 2 * * *', { timeZone: 'America/Sao_Paulo' })
      const { trigger, override } = within(READ_MS, 'using it', () =>
        overriddenTrigger(name, own, find(name), silentLogger),
      )
      requireThat(/^PONTUAL_JOBS__[A-Z0-9_]*__CRON$/.test(variableOf(name)), () => variableOf(name))
      requireEqual(trigger.timeZone, 'America/Sao_Paulo', 'the zone')
      if (override === null) requireEqual(trigger.toJSON(), own.toJSON(), 'the trigger of the code')
    }),
)

const pattern = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '*',
        '**',
        '**/',
        '?',
        '{a,b}',
        '{',
        '}',
        'jobs',
        '.ts',
        '/',
        '.',
        '\\',
        ',',
        '(',
        '+',
        '[',
        '$',
        '^',
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join('')),
  anyText,
)

const globs = check(
  { target: 'readers', name: 'patterns of files match, or do not, at once', inputs: 'patterns of files' },
  () =>
    fc.property(
      pattern,
      fc.array(fc.constantFrom('a', 'b', 'jobs', '.ts', '/', 'x'), { maxLength: 30 }),
      (text, parts) => {
        const glob = globOf(text, '/project')
        within(READ_MS, 'matching', () => glob.matches(`/project/${parts.join('')}`))
      },
    ),
)

export const configurationChecks: readonly Check[] = [settings, overrides, globs]
