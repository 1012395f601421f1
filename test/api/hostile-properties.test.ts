import { describeHostileProperties } from './hostile-properties.ts'

describeHostileProperties('memory', () => undefined, 15)
