import { config } from '#lib/core/config/config.ts'
import type { tenantDomain } from '#lib/tenant/table.ts'
import type { DomainProblem, DomainStatus } from './rules.ts'

export interface DnsRecord {
  type: 'TXT' | 'CNAME'
  name: string
  value: string
}

export interface DomainView {
  domain: string
  status: DomainStatus
  problem: DomainProblem | null
  lastCheckAt: Date | null
  /** The records to be set at the registrar of the domain. */
  records: DnsRecord[]
}

/** A custom domain with its required DNS records. */
export function toDomainView(row: typeof tenantDomain.$inferSelect, subdomain: string): DomainView {
  const { domain, status, checkError, lastCheckAt, verificationToken } = row
  return { domain, status, problem: checkError, lastCheckAt, records: recordsOf(domain, verificationToken, subdomain) }
}

/** The TXT record that proves control of the domain, and the CNAME record that points to this installation. */
export function recordsOf(domain: string, verificationToken: string, subdomain: string): [DnsRecord, DnsRecord] {
  return [
    { type: 'TXT', name: `_kafedra.${domain}`, value: `kafedra-verification=${verificationToken}` },
    { type: 'CNAME', name: domain, value: `${subdomain}.${config.baseDomain}` },
  ]
}
