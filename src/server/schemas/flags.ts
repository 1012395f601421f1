import { z } from 'zod'
import { FLAGS } from '../../access/flag.ts'
import type { FlagView } from '../../service/api.ts'

const flag = z.enum(FLAGS)

export const flagView = z.object({
  featureKey: flag,
  nome: z.string(),
  descricao: z.string(),
  name: z.string().meta({ description: 'In the language of the answer.' }),
  description: z.string(),
  habilitado: z.boolean(),
  isSystemFeature: z.boolean(),
  relatedFeatures: z.array(flag),
  source: z.enum(['default', 'stored', 'provider']).meta({ description: 'Who has the say.' }),
}) satisfies z.ZodType<FlagView>

export const flagUpdate = z.strictObject({
  habilitado: z.boolean().nullable().meta({ description: 'null: as it is for all tenants.' }),
})
