import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export const PRIVATE_ADDRESS_ERROR = 'the address lies in a private network'

/**
 * Resolves a host to those of its addresses that are allowed; an error when there is none. A connection that uses this
 * function is made to the address that was checked, whatever the name resolves to later.
 */
export function lookUpAllowed(isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(new Error(PRIVATE_ADDRESS_ERROR), '')
      if (options.all) return done(null, allowed)
      return done(null, first.address, first.family)
    })
  }
}

export const isPublicAddress = (address: string): boolean => !isPrivateAddress(address)

/**
 * Whether an address is anything but global unicast: loopback, private, link-local, shared, reserved, multicast, or a
 * tunnel to an IPv4 address (NAT64, 6to4, Teredo). A mapped IPv4 address counts as that address.
 */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast') return true
  // The library classifies unassigned space as unicast, e.g. the former fec0::/10; IANA assigns addresses from 2000::/3
  // only.
  return plain.kind() === 'ipv6' && !plain.match(GLOBAL_UNICAST)
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
