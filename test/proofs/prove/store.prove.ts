import { describeModel } from '../../suites/conformance/describe-model.ts'

describeModel(10 * 60_000)
