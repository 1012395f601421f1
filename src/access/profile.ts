import { PERMISSIONS, type Permission } from './permission.ts'

/** A named set of permissions, as a token carries it. */
export const PROFILES = ['Admin', 'Manager', 'Developer'] as const

/** A set of permissions with a name: what people of that kind may do. */
export type Profile = (typeof PROFILES)[number]

const MANAGER: readonly Permission[] = ['jobs:read', 'jobs:viewHistory']

const DEVELOPER: readonly Permission[] = [
  'jobs:read',
  'jobs:create',
  'jobs:update',
  'jobs:execute',
  'jobs:schedule',
  'jobs:pause',
  'jobs:viewHistory',
  'jobs:viewLogs',
  'jobs:viewDashboard',
]

const PERMISSIONS_OF: Readonly<Record<Profile, ReadonlySet<Permission>>> = {
  Admin: new Set(PERMISSIONS),
  Manager: new Set(MANAGER),
  Developer: new Set(DEVELOPER),
}

export function permissionsOf(profile: Profile): ReadonlySet<Permission> {
  return PERMISSIONS_OF[profile]
}

export function isProfile(text: unknown): text is Profile {
  return (PROFILES as readonly unknown[]).includes(text)
}
