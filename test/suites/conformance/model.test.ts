import { describeModel } from './describe-model.ts'

describeModel(8_000)
