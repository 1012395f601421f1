import { z } from 'zod'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** `MakeReport`: a report as its input describes it. Its form shows what a schema can say. */
export function makeReport({ makeReport: texts }: DemoTexts, pace: Pace): AnyJobType {
  const { fields } = texts
  const allSections = Object.values(texts.sections)
  return job(texts.name, {
    cache: '1m',
    input: z
      .strictObject({
        title: z.string().min(3).max(120).default(texts.defaultTitle).describe(fields.title),
        format: z.enum(['pdf', 'xlsx', 'csv']).default('pdf').describe(fields.format),
        sections: z.array(z.enum(allSections)).min(1).default(allSections).describe(fields.sections),
        period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }).optional().describe(fields.period),
        copies: z.int().min(1).max(20).default(1).describe(fields.copies),
        isConfidential: z.boolean().default(false).describe(fields.isConfidential),
        recipients: z.array(z.email()).max(10).default([]).describe(fields.recipients),
      })
      .prefault({}),
    run: async ({ title, format, sections, copies, isConfidential }, { signal, logger, progress }) => {
      logger.info(texts.making, { title, format, isConfidential })
      for (const [index, section] of sections.entries()) {
        await takeStep(pace, signal)
        logger.debug(texts.sectionWritten, { section })
        progress((index + 1) / sections.length, section)
      }
      return { file: `${title.toLowerCase().replaceAll(' ', '-')}.${format}`, pages: 4 * sections.length * copies }
    },
  })
}
