import { describeModel } from './describe-model.ts'

describeModel(15_000)
