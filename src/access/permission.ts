/** What a principal may be allowed to do. Stored in keys and tokens: a name is for ever. */
export const PERMISSIONS = [
  'jobs:read',
  'jobs:create',
  'jobs:update',
  'jobs:delete',
  'jobs:execute',
  'jobs:schedule',
  'jobs:approve',
  'jobs:pause',
  'jobs:viewHistory',
  'jobs:viewLogs',
  'jobs:viewDashboard',
] as const

/** Something that a principal may do. */
export type Permission = (typeof PERMISSIONS)[number]

export function isPermission(text: unknown): text is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(text)
}
