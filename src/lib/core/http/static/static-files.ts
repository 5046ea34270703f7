import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { ENCODINGS, encodingFor } from './compress.ts'

export interface StaticFiles {
  /** Answers with a built file and returns the status; null when there is no such file. */
  answer(pathname: string, request: IncomingMessage, response: ServerResponse, extra: OutHeaders): number | null
  readonly size: number
}

type OutHeaders = Record<string, string>

interface File {
  plain: string
  br?: string
  gzip?: string
  headers: OutHeaders
  etag: string
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
}

/**
 * Serves the files of a built directory with their `.br` and `.gz` versions. The directory is listed once: a request only
 * looks up a name in that list, so no requested path reaches the file system. `/_astro/*` never changes.
 */
export function loadStaticFiles(directory: string): StaticFiles {
  const files = new Map<string, File>()
  for (const name of fs.existsSync(directory) ? listFiles(directory) : []) {
    if (/\.(br|gz)$/.test(name)) continue
    files.set(`/${name.split(path.sep).map(encodeURIComponent).join('/')}`, fileOf(directory, name))
  }
  return {
    answer(pathname, request, response, extra) {
      const file = files.get(pathname)
      if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return null
      if (request.headers['if-none-match']?.includes(file.etag)) {
        response.writeHead(304, { ...extra, ETag: file.etag, 'Cache-Control': file.headers['Cache-Control'] }).end()
        return 304
      }
      void sendStaticFile(file, request, response, extra)
      return 200
    },
    get size() {
      return files.size
    },
  }
}

export function contentTypeOf(name: string): string {
  return TYPES[path.extname(name).toLowerCase()] ?? 'application/octet-stream'
}

async function sendStaticFile(
  file: File,
  request: IncomingMessage,
  response: ServerResponse,
  extra: OutHeaders,
): Promise<void> {
  const available = ENCODINGS.filter((encoding) => file[encoding])
  const encoding = encodingFor(request.headers['accept-encoding'], available)
  const source = (encoding && file[encoding]) || file.plain
  const headers: OutHeaders = { ...extra, ...file.headers, ETag: file.etag }
  if (encoding) headers['Content-Encoding'] = encoding
  try {
    const body = await fs.promises.readFile(source)
    response.writeHead(200, { ...headers, 'Content-Length': String(body.length) })
    response.end(request.method === 'HEAD' ? undefined : body)
  } catch {
    response.writeHead(404, extra).end()
  }
}

function fileOf(directory: string, name: string): File {
  const plain = path.join(directory, name)
  const existing = (suffix: string) => (fs.existsSync(plain + suffix) ? plain + suffix : undefined)
  const isImmutable = name.startsWith('_astro')
  const br = existing('.br')
  const gzip = existing('.gz')
  return {
    plain,
    ...(br && { br }),
    ...(gzip && { gzip }),
    etag: `"${createHash('sha256').update(fs.readFileSync(plain)).digest('base64url').slice(0, 22)}"`,
    headers: {
      'Content-Type': contentTypeOf(name),
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      ...(br || gzip ? { Vary: 'Accept-Encoding' } : {}),
    },
  }
}

function listFiles(directory: string): string[] {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}
