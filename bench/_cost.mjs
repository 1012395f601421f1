import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** What is spent until the returned function is called: `{ ms, nodeCpuMs, postgresCpuMs, walBytes }`. */
export async function startMeter(client, serverPid) {
  const walAt = await walPosition(client)
  const serverAt = serverCpuMs(serverPid)
  const nodeAt = process.cpuUsage()
  const start = performance.now()
  return async () => {
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(nodeAt)
    const serverEnd = serverCpuMs(serverPid)
    const { rows } = await client.query('select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as bytes', [
      walAt,
    ])
    return {
      ms,
      nodeCpuMs: (user + system) / 1000,
      postgresCpuMs: serverEnd === null ? null : serverEnd - serverAt,
      walBytes: rows[0].bytes,
    }
  }
}

async function walPosition(client) {
  const { rows } = await client.query('select pg_current_wal_insert_lsn()::text as at')
  return rows[0].at
}

/** Of the server, its children, and those that it has outlived. Null where there is no /proc. */
function serverCpuMs(serverPid) {
  if (process.platform !== 'linux') return null
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid)
    if (!stat) continue
    if (Number(pid) === serverPid) ticks += stat.own + stat.outlived
    else if (stat.parent === serverPid) ticks += stat.own
  }
  return ticks * TICK_MS
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may hold spaces. After it: state, parent, …
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, outlivedUser, outlivedSystem] = fields.slice(11, 15).map(Number)
    return { parent: Number(fields[1]), own: user + system, outlived: outlivedUser + outlivedSystem }
  } catch {
    return undefined
  }
}
