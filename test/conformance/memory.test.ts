import { memory } from '../../src/store/memory/memory.ts'
import { describeStore } from './describe-store.ts'

describeStore('memory', () => memory())
