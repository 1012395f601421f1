import type { Mutant } from './mutant.ts'

const APPROVAL = 'test/lifecycle/approval.test.ts'
const TABLE = 'test/lifecycle/state-table.test.ts'
const RACES = 'test/lifecycle/four-eyes.test.ts'
const WHO = 'src/access/approval.test.ts'
const STANDING = 'src/engine/lifecycle/status-fields.ts'
const REDEFINED = 'src/engine/lifecycle/redefine-job.ts'

/** Bugs in who says yes to what. */
export const APPROVALS: readonly Mutant[] = [
  {
    invariant: 'I26',
    name: 'a yes holds for whatever a job becomes',
    file: STANDING,
    find: 'details.approval !== null && details.approval.hash === hashDefinition(name, definition)',
    replace: 'details.approval !== null',
    caughtBy: [[APPROVAL, 'nothing that was changed by who knows nothing of approvals']],
  },
  {
    invariant: 'I26',
    name: 'an edit leaves the yes as it is',
    file: STANDING,
    find: '    approval: null,\n',
    replace: '',
    caughtBy: [[APPROVAL, 'that is approved and gets another its payload']],
  },
  {
    invariant: 'I26',
    name: 'an edit of a sensitive job leaves its status',
    file: REDEFINED,
    find: '(needsYes && !isApproved(job))',
    replace: 'false',
    caughtBy: [
      [TABLE, 'that is sensitive and APPROVED: update gives PENDING_APPROVAL'],
      [APPROVAL, 'that is approved and gets another its timeout'],
    ],
  },
  {
    invariant: 'I26',
    name: 'to need no yes any more needs none',
    file: REDEFINED,
    find: 'before.details.isSensitive || after.details.isSensitive',
    replace: 'after.details.isSensitive',
    caughtBy: [[APPROVAL, 'needs a yes also to need none any more']],
  },
  {
    invariant: 'I26',
    name: 'a disabled job is made to need no yes, and then enabled',
    file: 'src/engine/lifecycle/redefine-job.ts',
    find: "  if (!isSensitive && job.details.isSensitive && job.status === 'DISABLED') throw nobodyAsked(job)\n",
    replace: '',
    caughtBy: [[APPROVAL, 'needs a yes also to need none any more']],
  },
  {
    invariant: 'I26',
    name: 'whoever decided about a job may approve it',
    file: 'src/access/approval.ts',
    find: 'persons.some((person) => known.includes(person))',
    replace: 'false',
    caughtBy: [
      [WHO, 'not by whoever made it'],
      [APPROVAL, 'is not approved by whoever changed it'],
      [RACES, 'in memory'],
    ],
  },
  {
    invariant: 'I26',
    name: 'who owns the key that decided may approve',
    file: STANDING,
    find: '...by.persons])],',
    replace: "by.userId ?? ''])],",
    caughtBy: [[APPROVAL, 'is not approved by the owner of the key that made it']],
  },
  {
    invariant: 'I26',
    name: 'where nobody knows who decided anybody may approve',
    file: 'src/access/approval.ts',
    find: '  if (known.length === 0) {',
    replace: '  if (persons.length === 0) {',
    caughtBy: [[WHO, 'not where nobody knows who made it']],
  },
  {
    invariant: 'I26',
    name: 'a yes is to whatever has become of the job meanwhile',
    file: 'src/engine/lifecycle/approval.ts',
    find: 'version ??= job.version',
    replace: 'version = job.version',
    caughtBy: [[APPROVAL, 'is to what was there when it was asked for']],
  },
  {
    invariant: 'I26',
    name: 'a sensitive job runs with whatever payload is asked for',
    file: 'src/engine/lifecycle/request-execution.ts',
    find: 'isSensitive(deps, job) && ',
    replace: 'job.status !== job.status && ',
    caughtBy: [
      [APPROVAL, 'only its own payload'],
      [RACES, 'in memory'],
    ],
  },
  {
    invariant: 'I26',
    name: 'a sensitive job repeats what is not approved any more',
    file: 'src/engine/lifecycle/request-execution.ts',
    find: '  requireSameAsApproved(deps, execution, job)\n',
    replace: '',
    caughtBy: [[APPROVAL, 'again what is approved now, under the rules of now']],
  },
  {
    invariant: 'I26',
    name: 'what a job missed while it waited for a yes is made up for as its rules say',
    file: 'src/engine/firing/missed-occurrences.ts',
    find: 'resolveMissed(store, strictly(before, cause), now, cause)',
    replace: 'resolveMissed(store, before, now, cause)',
    caughtBy: [[APPROVAL, 'skips what it missed while it waited for the yes']],
  },
  {
    invariant: 'I26',
    name: 'a scheduler does not look whether a job may run',
    file: 'src/engine/firing/scheduler.ts',
    find: 'if (!mayRun(this.#options, job)) {',
    replace: 'if (job.details === null) {',
    caughtBy: [[APPROVAL, 'nothing that was changed by who knows nothing of approvals']],
  },
  {
    invariant: 'I26',
    name: 'a sensitive job is enabled without a yes',
    file: 'src/engine/lifecycle/change-status.ts',
    find: "standing(isSensitive ? 'PENDING_APPROVAL' : 'ACTIVE')",
    replace: "standing(isSensitive ? 'APPROVED' : 'ACTIVE')",
    caughtBy: [[TABLE, 'that is sensitive and DISABLED: enable gives PENDING_APPROVAL']],
  },
  {
    invariant: 'I26',
    name: 'a job type that is sensitive does not make its jobs so',
    file: 'src/engine/lifecycle/status-fields.ts',
    find: 'types.get(jobType)?.isSensitive ?? false',
    replace: 'types.has(jobType) && false',
    caughtBy: [
      [APPROVAL, 'stays sensitive where its job type is'],
      [APPROVAL, 'holds for jobs that are scheduled at run time'],
    ],
  },
]
