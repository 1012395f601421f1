import { describeSecondSchema } from './describe-second-schema.ts'

describeSecondSchema(['hints', 'limits', 'tenancy'])
