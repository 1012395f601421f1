// Prints a token of ana, who is Admin: to sign in with at /jobs/. Stands for the sign-in of your own.

import { SignJWT } from 'jose'
import { SECRET } from './lib/secret.mjs'

const token = await new SignJWT({ clienteId: 'default', profile: 'Admin' })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('ana')
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(SECRET))
console.log(token)
