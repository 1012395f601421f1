/** Signs the tokens. In production: at least 32 bytes that nobody can guess, from where your secrets are kept. */
export const SECRET = process.env.JWT_SECRET ?? 'for trying out on this machine, and nowhere else'
