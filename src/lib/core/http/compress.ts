import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

export interface Hooks {
  /** Sees status and headers (lower-case names, may change them) before they are sent. */
  head(status: number, headers: OutgoingHttpHeaders): void
  /** Whether the whole uncompressed body is wanted; it is then held back until it is complete. */
  wanted(status: number, headers: OutgoingHttpHeaders): boolean
  whole(headers: OutgoingHttpHeaders, body: Buffer): void
}

type Encoding = 'br' | 'gzip'

const SMALLEST = 1024
// What a client may leave unread in an event stream before it is cut: it resumes by Last-Event-ID.
const MOST_UNREAD = 1_000_000
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  // The usual window costs 8 MB a stream; pages are far smaller.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** Best encoding the client accepts, or null. An explicit `q=0` is a refusal. */
export function encodingFor(accepted: string | string[] | undefined): Encoding | null {
  const said = String(accepted ?? '')
  if (/(^|[,\s])br(?!\s*;\s*q=0(\.0*)?\s*(,|$))\s*(;|,|$)/.test(said)) return 'br'
  return /(^|[,\s])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))\s*(;|,|$)/.test(said) ? 'gzip' : null
}

/**
 * Puts itself between the renderer and the connection: a body that ends in one go is compressed as a whole, a streamed
 * one piece by piece with a flush after each, events and small or packed bodies pass through untouched.
 */
export function interpose(request: IncomingMessage, response: ServerResponse, hooks: Hooks): void {
  const send = {
    head: response.writeHead.bind(response),
    write: response.write.bind(response),
    end: response.end.bind(response),
  }
  const accepted = encodingFor(request.headers['accept-encoding'])
  let status = 200
  let headers: OutgoingHttpHeaders = {}
  let held: Buffer[] = []
  let mode: 'held' | 'plain' | 'packed' = 'held'
  let packer: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress> | undefined
  let scheduled = false

  const start = (encoding: Encoding | null) => {
    hooks.head(status, headers)
    if (encoding === null) {
      mode = 'plain'
    } else {
      mode = 'packed'
      pack(headers, encoding)
      packer = encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip({ level: 6 })
      packer.on('data', (chunk: Buffer) => send.write(chunk))
      packer.on('end', () => send.end())
      packer.on('error', () => response.destroy())
    }
    send.head(status, headers)
  }
  const pour = () => {
    scheduled = false
    if (mode === 'held') start(isPackable(headers) ? accepted : null)
    const chunk = Buffer.concat(held)
    held = []
    if (packer) {
      packer.write(chunk)
      packer.flush()
    } else if (chunk.length > 0) send.write(chunk)
  }

  response.writeHead = (code: number, ...rest: unknown[]) => {
    const given = rest.at(-1)
    status = code
    headers = { ...response.getHeaders(), ...lowered(typeof given === 'object' && given !== null ? given : {}) }
    if (isEvents(headers)) {
      start(null)
      response.flushHeaders()
    }
    return response
  }
  response.write = (chunk: unknown) => {
    if (response.destroyed) return false
    if (mode === 'plain' && isEvents(headers)) {
      if (response.writableLength > MOST_UNREAD) response.destroy()
      return send.write(bufferOf(chunk))
    }
    held.push(bufferOf(chunk))
    if (!scheduled && !(mode === 'held' && hooks.wanted(status, headers))) {
      scheduled = true
      setImmediate(() => {
        if (scheduled && !response.destroyed) pour()
      })
    }
    return true
  }
  response.end = (chunk?: unknown) => {
    if (chunk !== undefined && typeof chunk !== 'function') held.push(bufferOf(chunk))
    scheduled = false
    if (response.destroyed) return response
    if (mode === 'plain') {
      for (const one of held) send.write(one)
      send.end()
    } else if (packer) packer.end(Buffer.concat(held))
    else void finish()
    return response
  }

  const finish = async () => {
    mode = 'plain'
    const body = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
    held = []
    hooks.head(status, headers)
    if (hooks.wanted(status, headers)) hooks.whole(headers, body)
    const encoding = body.length > SMALLEST && isPackable(headers) ? accepted : null
    const sent = encoding ? await compressed(body, encoding) : body
    if (encoding) pack(headers, encoding)
    const bodiless = request.method === 'HEAD' || status === 204 || status === 304
    if (!bodiless) headers['content-length'] = sent.length
    if (response.destroyed) return
    send.head(status, headers)
    send.end(bodiless ? undefined : sent)
  }
}

/** Whether bytes of this type shrink. */
export function isText(type: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|manifest\+json|[a-z.]+\+xml)|image\/svg)/.test(type)
}

function isPackable(headers: OutgoingHttpHeaders): boolean {
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined || isEvents(headers))
    return false
  return isText(String(headers['content-type'] ?? '')) && !String(headers['cache-control']).includes('no-transform')
}

function isEvents(headers: OutgoingHttpHeaders): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream')
}

function pack(headers: OutgoingHttpHeaders, encoding: Encoding): void {
  headers['content-encoding'] = encoding
  headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding'
  delete headers['content-length']
  // Strong tags name exact bytes, and these are no longer the ones that were tagged.
  if (typeof headers.etag === 'string' && headers.etag.startsWith('"')) headers.etag = `W/${headers.etag}`
}

function compressed(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 6 })
  return promisify(brotliCompress)(body, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
}

function lowered(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bufferOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Buffer.from(String(chunk))
}
