import { computed, signal } from '@preact/signals'
import type { Permission, Profile } from '../api/wire.ts'

export interface Session {
  readonly clienteId: string
  readonly userId: string
  readonly profile: Profile
  readonly permissions: readonly Permission[]
  readonly language: 'en' | 'pt-BR'
  /** Whether it is switched on for the tenant. */
  readonly hasDashboard: boolean
  /** Whether he is known by a session, which can be ended; where something else tells who he is, there is nothing to sign out of. */
  readonly isSession: boolean
  readonly isDev: boolean
}

/** Who uses the page; null: nobody has signed in, undefined: it is not known yet. */
export const session = signal<Session | null | undefined>(undefined)

/** Whether the server does not know the session any more, while somebody is at work: what he has typed is kept until he has signed in again. */
export const isEnded = signal(false)

const permissions = computed(() => new Set<Permission>(session.value?.permissions ?? []))

export function may(permission: Permission): boolean {
  return permissions.value.has(permission)
}

export function canSignOut(): boolean {
  return session.value?.isSession === true && !session.value.isDev
}

export function isAdmin(): boolean {
  return session.value?.profile === 'Admin'
}

/** Somebody's name among all who use this browser. */
export function whoIs(someone: Session | null | undefined): string {
  return someone ? JSON.stringify([someone.clienteId, someone.userId, someone.profile]) : ''
}

/** The server does not know the session any more. */
export function forgetSession(): void {
  if (session.value) isEnded.value = true
  else session.value = null
}
