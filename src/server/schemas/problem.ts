import { z } from 'zod'
import type { Problem } from '../response/problem.ts'

export const problemView = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string().meta({ description: 'Stable; a program decides by this.' }),
  trace_id: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })).exactOptional(),
}) satisfies z.ZodType<Problem>
