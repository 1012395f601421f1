import { z } from 'zod'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { type Pace, takeStep } from './pace.ts'

const SECTIONS = ['faturas', 'chamados', 'usuários', 'ativos'] as const

/** `GerarRelatorio`: a report as its input describes it. Its form shows what a schema can say. */
export function makeReport(pace: Pace): AnyJobType {
  return job('GerarRelatorio', {
    cache: '1m',
    input: z
      .strictObject({
        title: z.string().min(3).max(120).default('Relatório mensal').describe('Título na primeira página'),
        format: z.enum(['pdf', 'xlsx', 'csv']).default('pdf').describe('Formato do arquivo'),
        sections: z
          .array(z.enum(SECTIONS))
          .min(1)
          .default([...SECTIONS])
          .describe('O que o relatório contém'),
        period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }).optional().describe('Padrão: o mês corrente'),
        copies: z.int().min(1).max(20).default(1).describe('Quantas cópias'),
        isConfidential: z.boolean().default(false).describe('Marca cada página como confidencial'),
        recipients: z.array(z.email()).max(10).default([]).describe('Quem recebe'),
      })
      .prefault({}),
    run: async ({ title, format, sections, copies, isConfidential }, { signal, logger, progress }) => {
      logger.info('Making a report', { title, format, isConfidential })
      for (const [index, section] of sections.entries()) {
        await takeStep(pace, signal)
        logger.debug('Wrote a section', { section })
        progress((index + 1) / sections.length, section)
      }
      return { file: `${title.toLowerCase().replaceAll(' ', '-')}.${format}`, pages: 4 * sections.length * copies }
    },
  })
}
