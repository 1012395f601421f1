import { pglite } from '../../src/pglite.ts'
import { describeStore } from './describe-store.ts'

describeStore('PGlite', () => pglite())
