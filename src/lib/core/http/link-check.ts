import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
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
      ...{ method, path: url.pathname + url.search, agent: false, timeout: PATIENCE_MS },
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

/** Whether an address is of no public network (RFC 6890): loopback, private, link-local, shared, reserved, multicast. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  const family = net.isIP(plain)
  return family === 0 || NOT_PUBLIC.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

const NOT_PUBLIC = new net.BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(address, bits, 'ipv6')
