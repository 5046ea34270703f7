import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const HOST = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** The requested host, lower-case with its port, or null when it is no host name. X-Forwarded-Host counts only if the proxy is trusted. */
export function hostOf(headers: IncomingHttpHeaders, trustProxy: boolean): string | null {
  const header = (trustProxy && first(headers['x-forwarded-host'])) || headers.host || ''
  const host = header.toLowerCase()
  return HOST.test(host) ? host : null
}

/**
 * Whether a request has two Host headers, which must be refused with 400 (RFC 9112, 3.2): a proxy may use the other
 * one.
 */
export function isHostRepeated(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/**
 * The client's IP address in its canonical form: the connection's, or with a trusted proxy the last one of
 * X-Forwarded-For, which the proxy appended. An IPv4 address mapped to IPv6 is returned as IPv4.
 */
export function clientAddress(headers: IncomingHttpHeaders, remote: string | undefined, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : ''
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
  const address = isIP(last) ? last : (remote ?? '')
  return isIPv6(address) ? ipaddr.process(address).toString() : address
}

/**
 * The network by which attempts are counted: the IPv4 address itself, or the first 64 bits of an IPv6 address, because
 * one subscriber has all addresses of such a network (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const canonical = ipaddr.process(address)
  if (canonical.kind() === 'ipv4') return canonical.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/64`)}/64`
}

/** Returns a function that gives each request its id: the X-Request-Id of a trusted proxy if it is well-formed, otherwise a new one. */
export function createRequestIds(trustProxy: boolean): (headers: IncomingHttpHeaders) => string {
  const prefix = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
  let count = 0
  return (headers) => {
    const given = trustProxy ? headers['x-request-id'] : undefined
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}

/** Whether path and query of a request are valid: a path from the root, well-formed escapes, no control characters. */
export function isValidTarget(target: string): boolean {
  if (!target.startsWith('/') || target.startsWith('//') || target.includes('\\')) return false
  if (!target.includes('%')) return true
  const queryStart = target.indexOf('?')
  const path = queryStart === -1 ? target : target.slice(0, queryStart)
  try {
    return !hasControl(decodeURIComponent(path)) && !decodeURIComponent(path).includes('\\')
  } catch {
    return false
  }
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 127) return true
  }
  return false
}
