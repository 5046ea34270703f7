import fs from 'node:fs'
import path from 'node:path'
import { type Child, freePort, run, temporary, untilListening } from './processes.ts'

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const DOMAIN = 'kafedra.localhost'

export interface Product extends Child {
  port: number
  /** Headers of a request to a school, to `go`, or to the base domain (''), signed in or anonymous. */
  headersFor(label: string, token?: string, locale?: 'uk' | 'en'): Record<string, string>
}

/** Runs `npm start` of a source tree on a database, like an installation, on a free port. */
export async function startProduct(
  databaseUrl: string,
  { root = ROOT, more = {} }: { root?: string; more?: Record<string, string> } = {},
): Promise<Product> {
  const port = await freePort()
  const child = run(root, [...startArguments(root), '--empty'], {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_DOMAIN: DOMAIN,
    DATA_DIR: temporary('data'),
    DATABASE_URL: databaseUrl,
    ...more,
  })
  await untilListening(child, port)
  const headersFor = (label: string, token?: string, locale?: 'uk' | 'en') => {
    const cookies = [token && `token=${token}`, locale && `locale=${locale}`].filter(Boolean)
    return {
      host: `${label === '' ? '' : `${label}.`}${DOMAIN}:${port}`,
      'accept-encoding': 'br, gzip',
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    }
  }
  return { ...child, port, headersFor }
}

/** The arguments that `npm start` gives to Node in a source tree: the options of V8 and the program. */
export function startArguments(root: string): string[] {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  return scripts.start.replace('exec node ', '').split(' ')
}

/** A connection string for a Unix socket, in the format of DATABASE_URL. */
export function overSocket(socketDir: string): string {
  return `postgres://kafedra@localhost/kafedra?host=${encodeURIComponent(socketDir)}`
}
