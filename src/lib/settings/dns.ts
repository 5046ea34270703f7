import { Resolver } from 'node:dns/promises'
import { config } from '#lib/core/config/config.ts'
import type { DnsRecord } from './domain-view.ts'
import type { DomainProblem } from './rules.ts'

const TIMEOUT_MS = 3000
const MAX_RECORDS = 50

/**
 * Compares the DNS records of a domain with the required ones. An apex domain, which cannot have a CNAME record, may
 * have the addresses of the target instead.
 * @returns the first problem, or null when the domain is controlled by the tenant and points to this installation
 */
export async function findDomainProblem([ownershipRecord, pointer]: [
  DnsRecord,
  DnsRecord,
]): Promise<DomainProblem | null> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (config.dnsServers.length > 0) resolver.setServers(config.dnsServers)
  try {
    const texts = await existing(resolver.resolveTxt(ownershipRecord.name))
    if (texts.length === 0) return 'txt_missing'
    if (!texts.slice(0, MAX_RECORDS).some((chunks) => chunks.join('') === ownershipRecord.value)) return 'txt_wrong'
    const names = await existing(resolver.resolveCname(pointer.name))
    if (names.some((name) => name.toLowerCase() === pointer.value)) return null
    const [own, expected] = await Promise.all([
      addressesOf(resolver, pointer.name),
      addressesOf(resolver, pointer.value),
    ])
    if (own.length === 0) return 'address_missing'
    return own.some((address) => expected.includes(address)) ? null : 'address_wrong'
  } catch (error) {
    if (isDnsError(error)) return 'dns_unavailable'
    throw error
  }
}

async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  const lists = await Promise.all([existing(resolver.resolve4(name)), existing(resolver.resolve6(name))])
  return lists.flat().slice(0, MAX_RECORDS)
}

/** A missing record type or name counts as an empty response; other errors are thrown. */
async function existing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (isDnsError(error) && (error.code === 'ENODATA' || error.code === 'ENOTFOUND')) return []
    throw error
  }
}

function isDnsError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error && String(error.syscall).startsWith('query')
}
