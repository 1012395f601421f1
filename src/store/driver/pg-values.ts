import type { CustomTypesConfig } from 'pg'
import type { Pg } from './pg-module.ts'

const INT8 = 20
const NUMERIC = 1_700
const INT8_ARRAY = 1_016
const NUMERIC_ARRAY = 1_231
const FLOAT8_ARRAY = 1_022

type Parse = (text: string) => unknown

/** How values are read, handed along with each query: to set it globally would change how the rest of the process reads its own. */
export function readNumbers(pg: Pg): CustomTypesConfig {
  const standard = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => Parse
  const numbers = standard(FLOAT8_ARRAY)
  const ours = new Map<number, Parse>([
    [INT8, Number],
    [NUMERIC, Number],
    [INT8_ARRAY, numbers],
    [NUMERIC_ARRAY, numbers],
  ])
  const getTypeParser = (oid: number, format?: 'text' | 'binary'): Parse =>
    (format !== 'binary' && ours.get(oid)) || standard(oid, format)
  return { getTypeParser }
}
