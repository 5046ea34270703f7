import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Duel, duel } from './duel.ts'
import { freePort, run, temporary, untilListening } from './processes.ts'
import { overSocket, startProduct } from './product.ts'
import { type Row, ratioRow, type Section } from './report.ts'
import type { Stage } from './stage.ts'

const SECRET = 'only-for-measuring-on-this-machine'
const RANGES: Record<string, string> = {
  '1 MB of a video': 'bytes=20000000-21048575',
  '256 KB of a video': 'bytes=20000000-20262143',
}

/** Parts of a video from the disk by the media endpoint, compared with a plain server that uses `createReadStream`. */
export async function rangeRate({ socketDir, big }: Stage): Promise<Section> {
  const DATA_DIR = temporary('media')
  const environment = { SECRET_KEY: SECRET, DATA_DIR }
  const fileId = randomUUID()
  const file = path.join(DATA_DIR, 'files', big.tenantId, fileId)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, randomBytes(50_000_000))
  const product = await startProduct(overSocket(socketDir), { more: { ...environment, JOBS_IN_PROCESS: 'false' } })
  const port = await freePort()
  const bare = run(import.meta.dirname, ['bare-store.ts', String(port), file], {})
  await untilListening(bare, port)
  const signed = [path.join(import.meta.dirname, 'signed.ts'), big.tenantId, fileId]
  const env = { PATH: process.env.PATH, ...environment }
  const target = `${execFileSync(process.execPath, signed, { encoding: 'utf8', env }).trim()}original.mp4`
  const rows: Row[] = []
  for (const [label, range] of Object.entries(RANGES)) {
    const headers = { ...product.headersFor(big.subdomain, big.ownerToken), range }
    const ours = { pid: product.pid, port: product.port, path: target, headers }
    rows.push(rangeRow(label, await duel(ours, { pid: bare.pid, port, path: '/', headers })))
  }
  await bare.stop()
  await product.stop()
  return {
    title: 'Video by Range',
    note: 'Baseline R: a bare node:http server that reads the size and pipes `createReadStream` of the range; no token, no checks.',
    rows,
  }
}

function rangeRow(label: string, { ours, baseline, ratio, cpuRatio }: Duel): Row {
  return ratioRow(label, `${ours.toFixed(0)}/s`, `${baseline.toFixed(0)}/s (by CPU ${cpuRatio.toFixed(2)})`, ratio, 0.8)
}
