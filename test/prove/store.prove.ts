import { describeModel } from '../conformance/describe-model.ts'

describeModel(10 * 60_000)
