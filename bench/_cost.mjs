import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/**
 * What is spent until the returned function is called: `{ ms, nodeCpuMs, serverCpuMs, walBytes, transactions, peakMb }`, where transactions are
 * those that wrote, and the peak is what this process ever held. Without a client, for a server that is not PostgreSQL, there are neither WAL nor transactions.
 */
export async function startMeter(client, serverPid) {
  const written = await writtenBy(client)
  const serverAt = serverCpuMs(serverPid)
  const nodeAt = process.cpuUsage()
  const start = performance.now()
  return async () => {
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(nodeAt)
    const serverEnd = serverCpuMs(serverPid)
    const writtenEnd = await writtenBy(client)
    return {
      ms,
      nodeCpuMs: (user + system) / 1000,
      serverCpuMs: serverEnd === null ? null : serverEnd - serverAt,
      walBytes: written && writtenEnd.walBytes - written.walBytes,
      transactions: written && writtenEnd.transactions - written.transactions,
      peakMb: process.resourceUsage().maxRSS / 1024,
    }
  }
}

/** Counters that no backend holds back, unlike those of the statistics. */
async function writtenBy(client) {
  if (!client) return null
  const { rows } = await client.query(`
    select
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
      pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions`)
  return rows[0]
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
