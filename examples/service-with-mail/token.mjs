// Prints a token of somebody: npm run --silent token -- <tenant> <user> <Admin | Developer | Manager>. Stands for the sign-in of your own.

import { SignJWT } from 'jose'
import { SECRET } from './secret.mjs'

const [tenant = 'acme', userId = 'ana', profile = 'Admin'] = process.argv.slice(2)
const token = await new SignJWT({ clienteId: tenant, profile })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject(userId)
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(SECRET))
console.log(token)
