import { PontualError } from '../errors.ts'

/** Nobody knows who asks: no credentials, or none that hold. */
export class UnauthenticatedError extends PontualError {}

/** Who asks is known, and may not do this. */
export class ForbiddenError extends PontualError {}
