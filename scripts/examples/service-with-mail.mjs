import assert from 'node:assert/strict'
import { withProgram } from '../package/program.mjs'
import { capture } from '../run.mjs'
import { ask, bearer } from './ask.mjs'

/** When a job of a tenant has failed its administrators get a mail; another tenant neither gets one nor sees anything of it. */
export async function checkServiceWithMail({ node, folder }) {
  const tokenOf = async (tenant) => (await capture(node, ['token.mjs', tenant, 'ana', 'Admin'], { cwd: folder })).trim()
  const [acme, globex] = [bearer(await tokenOf('acme')), bearer(await tokenOf('globex'))]
  await withProgram(node, ['inbox.mjs'], { cwd: folder, env: { SMTP_PORT: '0' } }, async (inbox) => {
    const [smtpUrl] = await inbox.until(/smtp:\/\/127\.0\.0\.1:\d+/)
    const env = { PORT: '0', SMTP_URL: smtpUrl }
    await withProgram(node, ['main.mjs'], { cwd: folder, env }, async (service) => {
      const api = `${await service.url()}/api/jobs`
      const settings = (address) => ({ method: 'PUT', body: { adminAddresses: [address], language: 'en' } })
      await ask(`${api}/settings`, { headers: acme, ...settings('ops@acme.example') })
      await ask(`${api}/settings`, { headers: globex, ...settings('ops@globex.example') })
      const { id } = await ask(api, {
        headers: acme,
        body: {
          name: 'Charge',
          jobType: 'charge-customers',
          cronExpression: '0 3 1 * *',
          payload: { gateway: 'down' },
        },
        status: 201,
      })
      await ask(`${api}/${id}/executar`, { headers: acme, method: 'POST', status: 202 })
      const [, address] = await inbox.until(/^To (\S+):\n[\s\S]*The payment gateway does not answer/m)
      assert.equal(address, 'ops@acme.example')
      await ask(`${api}/${id}`, { headers: globex, status: 403 })
      assert.deepEqual((await ask(`${api}/executions`, { headers: globex })).items, [])
      const { code, errors } = await service.stop()
      assert.equal(code, 0, errors)
    })
    assert.doesNotMatch(inbox.output, /globex/)
  })
}
