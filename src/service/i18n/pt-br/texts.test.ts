import { describe, expect, it } from 'vitest'
import type { ApiCode } from '../codes.ts'
import type { Sentence } from '../facts.ts'
import { textsIn } from '../say.ts'
import type { Catalogue } from './texts.ts'

/** Section 4.2 of RF-112. */
const SECTION_4_2 = {
  jobs: {
    list: {
      title: 'Jobs e Tarefas Agendadas',
      emptyState: 'Nenhum job configurado',
    },
    form: {
      name: 'Nome do Job',
      description: 'Descrição',
      jobType: 'Tipo de Job',
      cronExpression: 'Expressão CRON',
      priority: 'Prioridade',
      timeout: 'Timeout (minutos)',
      requiresTwoStep: 'Requer aprovação?',
    },
    messages: {
      success: {
        created: 'Job criado com sucesso',
        updated: 'Job atualizado com sucesso',
        executed: 'Job executado com sucesso',
        deleted: 'Job deletado com sucesso',
      },
      error: {
        nameAlreadyExists: 'Já existe um job com este nome',
        invalidCron: 'Expressão CRON inválida',
        maxWorkersExceeded: 'Limite máximo de workers atingido',
        jobNotFound: 'Job não encontrado',
      },
    },
    validation: {
      nameRequired: 'Nome é obrigatório',
      nameMinLength: 'Nome deve ter pelo menos 3 caracteres',
      cronRequired: 'Expressão CRON é obrigatória',
      timeoutRequired: 'Timeout é obrigatório',
      timeoutMinValue: 'Timeout mínimo é 5 minutos',
      timeoutMaxValue: 'Timeout máximo é 240 minutos',
    },
    status: {
      active: 'Ativo',
      paused: 'Pausado',
      disabled: 'Desabilitado',
      faulted: 'Falha',
      pendingApproval: 'Aguardando Aprovação',
    },
    priority: {
      high: 'Alta',
      medium: 'Média',
      low: 'Baixa',
    },
    actions: {
      create: 'Criar Job',
      edit: 'Editar',
      delete: 'Deletar',
      execute: 'Executar Agora',
      pause: 'Pausar',
      resume: 'Retomar',
      approve: 'Aprovar',
      viewHistory: 'Ver Histórico',
      viewLogs: 'Ver Logs',
    },
  },
}

/** Every text by its path, in order; a function that makes one stands for how many values it takes. */
function pathsOf(texts: object, path = ''): [string, unknown][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    const place = `${path}/${key}`
    if (typeof value === 'function') return [[place, value.length] as [string, unknown]]
    return typeof value === 'object' && value !== null ? pathsOf(value, place) : [[place, value] as [string, unknown]]
  })
}

it('Portuguese has exactly the texts of section 4.2', () => {
  expect({ jobs: textsIn('pt-BR').jobs }).toEqual(SECTION_4_2)
})

describe('English', () => {
  const [portuguese, english] = [pathsOf(textsIn('pt-BR')), pathsOf(textsIn('en'))]

  it('has the same texts as Portuguese, and no others', () => {
    expect(english.map(([path]) => path)).toEqual(portuguese.map(([path]) => path))
    expect(english.length).toBeGreaterThan(60)
  })

  it('has no empty text, and none that was left in Portuguese', () => {
    // A single word may be the same in both languages.
    const isLeft = (text: unknown, source: unknown) => text === '' || (text === source && /\s/.test(String(text)))
    const known = new Map(portuguese)
    expect(english.filter(([path, text]) => typeof text === 'string' && isLeft(text, known.get(path)))).toEqual([])
  })
})

it('a text or a sentence that is missing does not compile', () => {
  const { jobs } = textsIn('en')
  // @ts-expect-error emptyState is missing.
  const list: Catalogue['jobs']['list'] = { title: jobs.list.title }
  // @ts-expect-error every code but one is missing.
  const sentences: Readonly<Record<ApiCode, Sentence>> = { internal: () => 'Erro.' }
  expect([list, sentences]).toHaveLength(2)
})
