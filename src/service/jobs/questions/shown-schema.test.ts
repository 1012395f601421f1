import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputSchemaOf } from './input-schema.ts'

describe('a schema as people see it', () => {
  it.each<[string, z.ZodType]>([
    ['the default of a password', z.object({ password: z.string().default('CANARY') })],
    ['what is put in beforehand', z.object({ apiKey: z.string().prefault('CANARY') })],
    ['the only word for a token', z.object({ accessToken: z.literal('CANARY') })],
    ['an example of a secret', z.object({ clientSecret: z.string().meta({ examples: ['CANARY'] }) })],
    ['what lies within', z.object({ credentials: z.object({ user: z.string().default('CANARY') }) })],
    ['a default of the whole', z.object({ senha: z.string() }).default({ senha: 'CANARY' })],
    ['a field that is only written', z.object({ pin: z.string().default('CANARY').meta({ writeOnly: true }) })],
    ['a field of passwords', z.object({ pin: z.string().default('CANARY').meta({ format: 'password' }) })],
    ['a URL to sign in by', z.object({ at: z.string().default('ftp://ana:CANARY@host') })],
    ['one of a list', z.array(z.object({ token: z.string().default('CANARY') }))],
  ])('does not have %s', (_what, schema) => {
    const shown = inputSchemaOf(schema)
    expect(shown).not.toBeNull()
    expect(JSON.stringify(shown)).not.toContain('CANARY')
  })

  it('has all else, also where it is called like a word of JSON Schema', () => {
    const schema = z.object({
      default: z.string().default('a'),
      const: z.literal('b'),
      month: z.string().meta({ examples: ['2026-03'] }),
      at: z.string().default('https://host/a:b@c'),
    })
    expect(inputSchemaOf(schema)).toMatchObject({
      properties: {
        default: { default: 'a' },
        const: { const: 'b' },
        month: { examples: ['2026-03'] },
        at: { default: 'https://host/a:b@c' },
      },
    })
  })
})
