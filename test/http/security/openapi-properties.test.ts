import { describeHostileProperties } from '../api/hostile-properties.ts'

describeHostileProperties('memory', () => undefined, 15)
