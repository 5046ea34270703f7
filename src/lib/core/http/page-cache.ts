import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { offeredLocale } from '../i18n/language-offer.ts'
import { DEFAULT_LOCALE, LOCALES } from '../shared/locale.ts'
import { THEMES } from '../shared/shell-view.ts'
import { ENCODINGS, encodingFor } from './static/compress.ts'

export interface PageCache {
  /** Key of a request that may be answered from the cache; null when it is signed in, has a query or is no GET or HEAD. */
  keyOf(request: IncomingMessage, host: string): string | null
  /** Answers from the cache and returns the status; null when the page is not cached or has expired. */
  answer(key: string, request: IncomingMessage, response: ServerResponse, requestId: string): number | null
  /** Incremented by `clear`. */
  readonly generation: number
  /**
   * Stores a cacheable page (see `cacheSecondsOf`); it is compressed in the background. A page whose rendering began
   * before the cache was cleared, with an older `generation`, is not stored.
   */
  store(key: string, page: RenderedPage): void
  /** Stores a page that another process has rendered, unless this one has a newer version of it. */
  adopt(page: StoredPage): void
  /** Removes all pages, because what they show has changed. */
  clear(): void
  readonly size: number
}

/** A page in the form in which processes exchange it. */
export interface StoredPage {
  key: string
  entry: Entry
}

interface RenderedPage {
  headers: OutgoingHttpHeaders
  body: Buffer
  maxAgeSeconds: number
  generation: number
}

interface Variant {
  etag: string
  body: Buffer
  headers: string[]
}

interface Entry {
  plain: Variant
  br?: Variant
  gzip?: Variant
  expiresAt: number
}

const EXACT_LOCALE = new RegExp(`^[ \\t]*locale=(${LOCALES.join('|')})[ \\t]*$`)
const EXACT_THEME = new RegExp(`^[ \\t]*theme=(${THEMES.join('|')})[ \\t]*$`)

/**
 * Caches whole public pages in memory: at most `maxPages`, the least recently used are removed. `onStored` gets each page
 * that this process has rendered, so that other processes answer with the same version.
 */
export function createPageCache({
  maxPages = 512,
  now = Date.now,
  onStored,
}: {
  maxPages?: number
  now?: () => number
  onStored?: (page: StoredPage) => void
} = {}): PageCache {
  const entries = new Map<string, Entry>()
  let generation = 0
  function put(key: string, entry: Entry): void {
    entries.delete(key)
    entries.set(key, entry)
    const oldest = entries.size > maxPages ? entries.keys().next().value : undefined
    if (oldest !== undefined) entries.delete(oldest)
  }
  return {
    keyOf: cacheKey,
    answer(key, request, response, requestId) {
      const entry = entries.get(key)
      if (entry === undefined) return null
      if (entry.expiresAt <= now()) {
        entries.delete(key)
        return null
      }
      // A Map keeps the order of insertion, so the first key is the least recently used; it matters only near the limit.
      if (entries.size > maxPages / 2) {
        entries.delete(key)
        entries.set(key, entry)
      }
      return sendCachedPage(entry, request, response, requestId)
    },
    get generation() {
      return generation
    },
    store(key, page) {
      const { headers, body, maxAgeSeconds } = page
      if (page.generation !== generation) return
      const entry: Entry = { plain: variantOf(headers, body, null), expiresAt: now() + maxAgeSeconds * 1000 }
      put(key, entry)
      void compressInto(entry, headers, body).then(() => {
        if (page.generation === generation) onStored?.({ key, entry })
      })
    },
    adopt({ key, entry }) {
      if (entry.expiresAt > Math.max(now(), entries.get(key)?.expiresAt ?? 0)) put(key, entry)
    },
    clear() {
      entries.clear()
      generation += 1
    },
    get size() {
      return entries.size
    },
  }
}

/** Seconds that a shared cache may store a response: `s-maxage` of a 200 without a cookie; otherwise 0. */
export function cacheSecondsOf(status: number, headers: OutgoingHttpHeaders): number {
  if (status !== 200 || headers['set-cookie'] !== undefined) return 0
  const directive = /(?:^|[,\s])s-maxage=(\d{1,9})/.exec(String(headers['cache-control'] ?? ''))
  return directive ? Number(directive[1]) : 0
}

function cacheKey(request: IncomingMessage, host: string): string | null {
  const { method, url = '', headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || url.includes('?') || headers.authorization !== undefined) return null
  const { cookie } = headers
  const preferences = preferencesOf(cookie ?? '', headers['accept-language'])
  return preferences === null ? null : `${preferences} ${host}${url}`
}

// The renderer decodes and unquotes cookies, and trims less than `trim()` does. A cookie that it might parse
// differently (escapes, quotes, a repeated or similar name) makes the request uncacheable.
function preferencesOf(cookie: string, acceptLanguage: string | undefined): string | null {
  let locale: string | undefined
  let theme: string | undefined
  for (const part of cookie.split(';')) {
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals)
    if (name.includes('token')) return null
    if (name.includes('locale')) {
      const known = EXACT_LOCALE.exec(part)?.[1]
      if (known === undefined || locale !== undefined) return null
      locale = known
    } else if (name.includes('theme')) {
      const known = EXACT_THEME.exec(part)?.[1]
      if (known === undefined || theme !== undefined) return null
      theme = known
    }
  }
  // Without a chosen language the page may offer another one, which depends on few values of the header.
  const offered = locale === undefined ? offeredLocale(acceptLanguage, DEFAULT_LOCALE) : null
  return `${locale ?? DEFAULT_LOCALE}${offered ? `+${offered}` : ''} ${theme ?? 'system'}`
}

function sendCachedPage(entry: Entry, request: IncomingMessage, response: ServerResponse, requestId: string): number {
  const available = ENCODINGS.filter((encoding) => entry[encoding])
  const encoding = encodingFor(request.headers['accept-encoding'], available)
  const variant = (encoding && entry[encoding]) || entry.plain
  if (request.headers['if-none-match']?.includes(variant.etag)) {
    const headers = [
      'ETag',
      variant.etag,
      'Cache-Control',
      'private, no-cache',
      'Vary',
      VARY,
      'X-Request-Id',
      requestId,
    ]
    response.writeHead(304, headers).end()
    return 304
  }
  response.writeHead(200, variant.headers.concat('X-Request-Id', requestId))
  if (request.method === 'HEAD') response.end()
  else response.end(variant.body)
  return 200
}

const VARY = 'Accept-Encoding, Accept-Language, Cookie'
// Set by the cache, or valid for one transfer only; the other headers (type, CSP, security headers) are stored.
const DROPPED = new Set(
  'cache-control content-length content-encoding transfer-encoding vary etag x-request-id connection date'.split(' '),
)

function variantOf(headers: OutgoingHttpHeaders, body: Buffer, encoding: 'br' | 'gzip' | null): Variant {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const list: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || DROPPED.has(name.toLowerCase())) continue
    for (const item of Array.isArray(value) ? value : [value]) list.push(name, String(item))
  }
  list.push('Cache-Control', 'private, no-cache', 'Vary', VARY, 'ETag', etag, 'Content-Length', String(body.length))
  if (encoding) list.push('Content-Encoding', encoding)
  return { etag, body, headers: list }
}

async function compressInto(entry: Entry, headers: OutgoingHttpHeaders, body: Buffer): Promise<void> {
  if (body.length < 1024) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }
  const [brotliBody, gzipBody] = await Promise.all([promisify(brotliCompress)(body, quality), promisify(gzip)(body)])
  entry.br = variantOf(headers, brotliBody, 'br')
  entry.gzip = variantOf(headers, gzipBody, 'gzip')
}
