import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { config } from '../../config/config.ts'
import { isPrivateAddress, isPublicAddress, lookUpAllowed, PRIVATE_ADDRESS_ERROR } from './public-address.ts'

export interface LinkVerdict {
  /** Status of the last response; null without a response. */
  status: number | null
  reason: 'answers' | 'refused' | 'silent' | 'private' | 'not_web' | 'redirects'
}

const TIMEOUT_MS = 8000
const MAX_REDIRECTS = 5

/**
 * Requests a link by HEAD, or by GET where HEAD is not supported. Links into a private network are not requested (the
 * connection uses the address that was checked), except hosts for which `isOwnHost` is true. Only the status of the
 * response is read.
 */
export async function checkLink(link: string): Promise<LinkVerdict> {
  let current = link
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const url = URL.canParse(current) ? new URL(current) : null
    if (!url || !/^https?:$/.test(url.protocol)) return { status: null, reason: 'not_web' }
    const answer = await requestLink(url, 'HEAD').then((head) =>
      NO_HEAD.has(head.status ?? 0) ? requestLink(url, 'GET') : head,
    )
    if (!answer.location) return answer
    current = URL.canParse(answer.location, url) ? new URL(answer.location, url).href : answer.location
  }
  return { status: null, reason: 'redirects' }
}

const NO_HEAD = new Set([400, 403, 404, 405, 429, 500, 501])

interface LinkResponse extends LinkVerdict {
  location?: string | undefined
}

function requestLink(url: URL, method: 'HEAD' | 'GET'): Promise<LinkResponse> {
  const isOwnHost = url.hostname === config.baseDomain || url.hostname.endsWith(`.${config.baseDomain}`)
  const client = url.protocol === 'https:' && !isOwnHost ? https : http
  const target = isOwnHost ? { host: '127.0.0.1', port: config.port } : { host: url.hostname.replace(/^\[|\]$/g, '') }
  if (!isOwnHost && net.isIP(target.host) && isPrivateAddress(target.host))
    return Promise.resolve({ status: null, reason: 'private' })
  return new Promise((resolve) => {
    const request = client.request({
      ...target,
      ...(isOwnHost || !url.port ? {} : { port: Number(url.port) }),
      method,
      path: url.pathname + url.search,
      agent: false,
      timeout: TIMEOUT_MS,
      ...(isOwnHost ? {} : { lookup: lookUpAllowed(isPublicAddress) }),
      headers: { host: url.host, accept: '*/*', 'user-agent': 'Kafedra link check' },
    })
    const timer = setTimeout(() => request.destroy(), TIMEOUT_MS)
    request.on('timeout', () => request.destroy())
    request.on('error', (error) => {
      clearTimeout(timer)
      resolve({ status: null, reason: error.message === PRIVATE_ADDRESS_ERROR ? 'private' : 'silent' })
    })
    request.on('response', (response) => {
      clearTimeout(timer)
      response.destroy()
      const status = response.statusCode ?? 0
      const location = status >= 300 && status < 400 ? response.headers.location : undefined
      resolve({ status, reason: status < 400 ? 'answers' : 'refused', location })
    })
    request.end()
  })
}
