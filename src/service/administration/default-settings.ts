import type { TenantSettings } from '../../store/settings.ts'

/** What holds for a tenant that has settled nothing. */
export const DEFAULT_SETTINGS: TenantSettings = Object.freeze({
  adminAddresses: Object.freeze([]),
  language: 'pt-BR',
  concurrency: null,
  allowsSelfApproval: false,
  allowsSeconds: false,
  webhooks: Object.freeze([]),
})
