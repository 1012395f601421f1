// A mail server for trying out: it prints what it gets, and sends nothing on.

import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, { envelope }, done) => {
    const print = (mail) => {
      console.log(`To ${envelope.rcptTo.map(({ address }) => address).join(', ')}:\n${mail}`)
      done()
    }
    text(stream).then(print, done)
  },
})
server.listen(Number(process.env.SMTP_PORT ?? 2525), '127.0.0.1', () => {
  console.log(`Mail is taken at smtp://127.0.0.1:${server.server.address().port}.`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())
