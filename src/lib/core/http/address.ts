import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'

const HOST = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Host the client asked for, lower-case with its port, or null when it is no host name. A proxy's word only if trusted. */
export function hostOf(headers: IncomingHttpHeaders, trustProxy: boolean): string | null {
  const said = (trustProxy && first(headers['x-forwarded-host'])) || headers.host || ''
  const host = said.toLowerCase()
  return HOST.test(host) ? host : null
}

/** Whether a request names its host twice, which RFC 9112 (3.2) answers with 400: proxies may believe the other one. */
export function isHostRepeated(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Client's address: the connection's, or with a trusted proxy the one that this proxy appended (the last). */
export function clientAddress(headers: IncomingHttpHeaders, remote: string | undefined, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : ''
  const address = forwarded && /^[0-9a-fA-F:.]{2,45}$/.test(forwarded) ? forwarded : (remote ?? '')
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

/**
 * Whom an address stands for where tries are counted: itself, or of IPv6 its first 64 bits, because all the rest
 * belongs to one subscriber (RFC 6177), who could try from a new address each time.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = [...split(head), ...(tail === undefined ? [] : Array.from({ length: 8 }, () => '0'))].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Gives each request a number of its own: the proxy's when trusted and sane, otherwise a new one. */
export function requestIds(trustProxy: boolean): (headers: IncomingHttpHeaders) => string {
  const prefix = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
  let count = 0
  return (headers) => {
    const given = trustProxy ? headers['x-request-id'] : undefined
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}

/**
 * Path and query that can be asked for: a path from the root, well-formed escapes, no control characters.
 */
export function isSaneTarget(target: string): boolean {
  if (!target.startsWith('/') || target.startsWith('//') || target.includes('\\')) return false
  if (!target.includes('%')) return true
  const question = target.indexOf('?')
  const path = question === -1 ? target : target.slice(0, question)
  try {
    return !hasControl(decodeURIComponent(path)) && !decodeURIComponent(path).includes('\\')
  } catch {
    return false
  }
}

function split(part: string): string[] {
  return part === '' ? [] : part.split(':')
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 32 || text.charCodeAt(at) === 127) return true
  return false
}
