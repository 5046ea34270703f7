import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sendRequest } from './media/http-request.ts'
import { copyPreparedData } from './prepared-data.ts'
import { removeClusterDirectory } from './servers/cluster.ts'
import { freePort } from './servers/port.ts'

const PROJECT_DIR = path.resolve(import.meta.dirname, '../..')
const BASE_DOMAIN = 'kafedra.localhost'
const START_TIMEOUT_MS = 90_000
const EXTERNAL_SETTINGS = [
  'DATABASE_URL',
  'SMTP_URL',
  'REDIS_URL',
  'SENTRY_DSN',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'WHIP_URL',
  'AI_BASE_URL',
  'TRUST_PROXY',
  'HOST',
]

export interface Product {
  port: number
  dataDir: string
  /** Returns an absolute URL on the base domain (null), on `go` or on a tenant's subdomain. Browsers resolve these names. */
  addressOf(subdomain: string | null, path?: string): string
  /** Returns the output of the process. */
  getOutput(): string
  process: ChildProcess
  /** Shuts the process down and removes its data directory, unless the caller provided it. */
  stop(): Promise<void>
}

/**
 * Starts the built product in a separate process, as `npm start` does: on a free port, with its own data directory and
 * the demo school. Waits until it is ready; throws with its output when it exits before.
 */
export async function startProduct(
  options: { dataDir?: string; port?: number; env?: Record<string, string>; args?: string[] } = {},
): Promise<Product> {
  const port = options.port ?? (await freePort())
  const dataDir = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
  // Under root PostgreSQL runs as the user nobody and needs access to this directory.
  fs.chmodSync(dataDir, 0o711)
  if (getsDemoSchool(options)) copyPreparedData(dataDir)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    BASE_DOMAIN: BASE_DOMAIN,
    LOG_LEVEL: 'warn',
  }
  for (const name of EXTERNAL_SETTINGS) delete env[name]
  const child = spawn(process.execPath, ['scripts/start.ts', ...(options.args ?? [])], {
    cwd: PROJECT_DIR,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const killChild = () => child.kill('SIGTERM')
  process.once('exit', killChild)
  const stop = async () => {
    process.off('exit', killChild)
    await stopProcess(child)
    if (!options.dataDir) removeClusterDirectory(dataDir)
  }
  try {
    await waitUntilReady(child, port)
  } catch (cause) {
    await stop()
    throw new Error(`The product did not start:\n${output}`, { cause })
  }
  const at = (subdomain: string | null, to = '/') =>
    `http://${subdomain ? `${subdomain}.` : ''}${BASE_DOMAIN}:${port}${to}`
  return { port, dataDir, addressOf: at, getOutput: () => output, process: child, stop }
}

function getsDemoSchool({ args = [], env = {} }: { args?: string[]; env?: Record<string, string> }): boolean {
  return !args.includes('--empty') && env.BASE_DOMAIN === undefined
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const response = await sendRequest(port, BASE_DOMAIN, '/readyz').catch(() => null)
    if (response?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`it was not ready after ${START_TIMEOUT_MS / 1000} s`)
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await exited
  clearTimeout(killTimer)
}
