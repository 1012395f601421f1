import { PontualError } from '../errors.ts'

/** Something was to be written for another tenant than the one that all is done for. */
class ForeignTenantError extends PontualError {
  constructor(tenant: string, foreign: string, options?: ErrorOptions) {
    super(
      'store.foreign_tenant',
      `What is done for tenant "${tenant}" cannot write what is of tenant "${foreign}".`,
      { tenant, foreign },
      options,
    )
  }
}

export function requireTenant(tenant: string, things: readonly { readonly tenant: string }[]): void {
  const foreign = things.find((thing) => thing.tenant !== tenant)
  if (foreign) throw new ForeignTenantError(tenant, foreign.tenant)
}
