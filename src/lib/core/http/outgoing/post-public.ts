import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { isPublicAddress, lookUpAllowed, PRIVATE_ADDRESS_ERROR } from './public-address.ts'

interface PublicPost {
  body: string
  headers: Record<string, string>
  timeoutMs: number
  /** Decides which IP addresses may be contacted; public ones by default. */
  isAllowed?: (address: string) => boolean
}

/** The status of the response, or why there is none. */
export type PublicPostResult = { status: number } | { error: 'not_web' | 'private' | 'silent' }

/**
 * Posts a text to an address that a user has typed. Only public IP addresses are contacted, and the connection is made to
 * the address that was checked. Redirects are not followed and the body of the response is not read.
 */
export function postPublic(
  address: string,
  { body, headers, timeoutMs, isAllowed = isPublicAddress }: PublicPost,
): Promise<PublicPostResult> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return Promise.resolve({ error: 'not_web' })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not looked up.
  if (net.isIP(host) && !isAllowed(host)) return Promise.resolve({ error: 'private' })
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: lookUpAllowed(isAllowed),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Kafedra',
        ...headers,
      },
    })
    request.on('error', (error) => resolve({ error: error.message === PRIVATE_ADDRESS_ERROR ? 'private' : 'silent' }))
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0 })
      response.destroy()
    })
    request.end(body)
  })
}
