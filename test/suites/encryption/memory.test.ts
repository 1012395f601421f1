import { describe } from 'vitest'
import { memory } from '../../../src/store/memory/memory.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeRotation } from './rotation.ts'

describe('memory, encrypted', () => {
  describeEncryption(() => memory())
  describeRotation(() => memory())
})
