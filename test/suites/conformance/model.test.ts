import { describeModel } from './describe-model.ts'

describeModel(4_000)
