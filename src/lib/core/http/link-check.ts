import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { config } from '../config/config.ts'

export interface LinkVerdict {
  /** The last answer's status; null when there was none. */
  status: number | null
  because: 'answers' | 'refused' | 'silent' | 'private' | 'not_web' | 'redirects'
}

const PATIENCE_MS = 8000
const MOST_REDIRECTS = 5

/**
 * Whether somebody answers at a link, as a visitor would find it: HEAD, and GET where HEAD is not liked. What leads to
 * this machine's own network is not asked (the address that was looked up is the one that is connected to), except the
 * product's own host. Nothing of the answer but its status is read.
 */
export async function checkLink(link: string): Promise<LinkVerdict> {
  let here = link
  for (let steps = 0; steps <= MOST_REDIRECTS; steps += 1) {
    const url = URL.canParse(here) ? new URL(here) : null
    if (!url || !/^https?:$/.test(url.protocol)) return { status: null, because: 'not_web' }
    const answer = await ask(url, 'HEAD').then((head) => (NO_HEAD.has(head.status ?? 0) ? ask(url, 'GET') : head))
    if (!answer.location) return answer
    here = URL.canParse(answer.location, url) ? new URL(answer.location, url).href : answer.location
  }
  return { status: null, because: 'redirects' }
}

const NO_HEAD = new Set([400, 403, 404, 405, 429, 500, 501])

interface Answer extends LinkVerdict {
  location?: string | undefined
}

function ask(url: URL, method: 'HEAD' | 'GET'): Promise<Answer> {
  const own = url.hostname === config.baseDomain || url.hostname.endsWith(`.${config.baseDomain}`)
  const program = url.protocol === 'https:' && !own ? https : http
  const place = own ? { host: '127.0.0.1', port: config.port } : { host: url.hostname.replace(/^\[|\]$/g, '') }
  if (!own && net.isIP(place.host) && isInside(place.host)) return Promise.resolve({ status: null, because: 'private' })
  return new Promise((resolve) => {
    const request = program.request({
      ...place,
      ...(own || !url.port ? {} : { port: Number(url.port) }),
      method,
      path: url.pathname + url.search,
      agent: false,
      timeout: PATIENCE_MS,
      ...(own ? {} : { lookup: lookUp }),
      headers: { host: url.host, accept: '*/*', 'user-agent': 'Kafedra link check' },
    })
    const late = setTimeout(() => request.destroy(), PATIENCE_MS)
    request.on('timeout', () => request.destroy())
    request.on('error', (error) => {
      clearTimeout(late)
      resolve({ status: null, because: error.message === INSIDE ? 'private' : 'silent' })
    })
    request.on('response', (response) => {
      clearTimeout(late)
      response.destroy()
      const status = response.statusCode ?? 0
      const location = status >= 300 && status < 400 ? response.headers.location : undefined
      resolve({ status, because: status < 400 ? 'answers' : 'refused', location })
    })
    request.end()
  })
}

const INSIDE = 'the address lies in a private network'

/** The resolver's answer without what lies inside; with nothing left, an error. */
const lookUp: net.LookupFunction = (host, options, done) => {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const outside = found.filter(({ address }) => !isInside(address))
    const [first] = outside
    if (!first) return done(new Error(INSIDE), '')
    if (options.all) return done(null, outside)
    return done(null, first.address, first.family)
  })
}

/**
 * Whether an address is anything but global unicast: loopback, private, link-local, shared, reserved, multicast, or one
 * that carries an IPv4 address to somewhere else (NAT64, 6to4, Teredo). A mapped IPv4 address counts as that address.
 */
export function isInside(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast') return true
  // The library calls unassigned space unicast, e.g. the old fec0::/10; IANA hands out 2000::/3 only.
  return plain.kind() === 'ipv6' && !plain.match(GLOBAL_UNICAST)
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
