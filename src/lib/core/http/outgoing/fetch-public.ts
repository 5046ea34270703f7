import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { decodeText } from '../../csv/decode.ts'
import { isPublicAddress, lookUpAllowed, PRIVATE_ADDRESS_ERROR } from './public-address.ts'

interface PublicFetchLimits {
  maxBytes: number
  /** For all redirects together. */
  timeoutMs: number
}

type PublicFetchError = 'not_web' | 'private' | 'silent' | 'refused' | 'too_large' | 'redirects'

type PublicFetchResult = { text: string; etag: string | null } | { unchanged: true } | { error: PublicFetchError }

interface PublicFetchOptions extends PublicFetchLimits {
  /** ETag of the text that is known: while it is current, nothing is read. */
  etag?: string | null
  /** Decides which IP addresses may be contacted; public ones by default. */
  isAllowed?: (address: string) => boolean
}

const MAX_REDIRECTS = 3

/**
 * Reads a text from an address that a user has typed. Only public IP addresses are contacted, also after redirects, and
 * the connection is made to the address that was checked, so that a name that changes its address gains nothing. The
 * size, the time and the number of redirects are limited.
 */
export async function fetchPublicText(address: string, options: PublicFetchOptions): Promise<PublicFetchResult> {
  const signal = AbortSignal.timeout(options.timeoutMs)
  let current = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const url = URL.canParse(current) ? new URL(current) : null
    if (!url || !isWebUrl(url)) return { error: 'not_web' }
    const result = await requestText(url, options, signal)
    if (!('location' in result)) return result
    if (!URL.canParse(result.location, url)) return { error: 'not_web' }
    current = new URL(result.location, url).href
  }
  return { error: 'redirects' }
}

const isWebUrl = ({ protocol, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === ''

function requestText(
  url: URL,
  { maxBytes, etag, isAllowed = isPublicAddress }: PublicFetchOptions,
  signal: AbortSignal,
): Promise<PublicFetchResult | { location: string }> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not looked up.
  if (net.isIP(host) && !isAllowed(host)) return Promise.resolve({ error: 'private' })
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      signal,
      lookup: lookUpAllowed(isAllowed),
      headers: {
        accept: 'text/calendar, text/plain;q=0.5',
        'accept-encoding': 'identity',
        'user-agent': 'Kafedra',
        ...(etag ? { 'if-none-match': etag } : {}),
      },
    })
    request.on('error', (error) => resolve({ error: error.message === PRIVATE_ADDRESS_ERROR ? 'private' : 'silent' }))
    request.on('response', (response) => {
      const finish = (result: PublicFetchResult | { location: string }) => {
        resolve(result)
        response.destroy()
      }
      const status = response.statusCode ?? 0
      const { location, etag: current } = response.headers
      if (status === 304 && etag) return finish({ unchanged: true })
      if (status >= 300 && status < 400 && location) return finish({ location })
      // A compressed body could be small here and huge later.
      if (status !== 200 || response.headers['content-encoding']) return finish({ error: 'refused' })
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) return finish({ error: 'too_large' })
        chunks.push(chunk)
      })
      response.on('error', () => resolve({ error: 'silent' }))
      response.on('end', () => resolve({ text: textOf(Buffer.concat(chunks)), etag: current ?? null }))
    })
    request.end()
  })
}

const textOf = (bytes: Buffer): string => decodeText(bytes) ?? bytes.toString('utf8')
