import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isZodOwn } from '../../zod-issue.ts'
import { zodSentence } from './fields.ts'

function issueOf(schema: z.ZodType, value: unknown): Readonly<Record<string, unknown>> {
  const { error } = schema.safeParse(value, { reportInput: true })
  return error?.issues[0] as unknown as Readonly<Record<string, unknown>>
}

describe('what Zod says is said in the Portuguese of Brazil', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['Entrada inválida: esperado um texto, recebido um número.', z.string(), 1],
    ['Entrada inválida: esperado um objeto, recebido uma lista.', z.object({}), []],
    ['Entrada inválida: esperado uma lista, recebido um valor "nulo".', z.array(z.string()), null],
    ['Entrada inválida: esperado um objeto, recebido um valor ausente.', z.record(z.string(), z.string()), undefined],
    ['Opção inválida: esperado uma das seguintes opções: "a"|"b".', z.enum(['a', 'b']), 'c'],
    ['Grande demais: esperava-se que o número fosse <= 5.', z.number().max(5), 6],
    ['Pequeno demais: esperava-se que o texto tivesse >= 3 caracteres.', z.string().min(3), 'a'],
    ['Grande demais: esperava-se que a lista tivesse <= 1 elementos.', z.array(z.number()).max(1), [1, 2]],
    ['Formato do endereço de e-mail inválido.', z.email(), 'x'],
  ])('%s', (sentence, schema, value) => {
    expect(zodSentence(issueOf(schema, value))).toBe(sentence)
  })

  it('and is short, whatever was sent', () => {
    expect(zodSentence(issueOf(z.strictObject({}), { ['x'.repeat(5_000)]: 1 })).length).toBeLessThan(210)
  })
})

it('what the author of a schema says in his own words is known as his', () => {
  expect(isZodOwn(issueOf(z.string(), 1))).toBe(true)
  expect(isZodOwn(issueOf(z.string({ error: 'A month, please' }), 1))).toBe(false)
  expect(isZodOwn({ message: 'Expected string', path: [] })).toBe(false)
})
