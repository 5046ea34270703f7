import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { domainOf, isAligned } from './results-rules.ts'

/** The SMTP client that delivered an email. */
export interface MailClient {
  ip: string
  helo: string
  /** The address of MAIL FROM; empty for reports. */
  sender: string
}

export interface SenderToVerify {
  raw: Uint8Array
  /** The address in From. */
  from: string
  /** Null when another server has received the email. Then only its signature is checked. */
  client: MailClient | null
  /** DNS servers; those of the system when empty. */
  dnsServers: readonly string[]
  /** Name of this server. */
  host: string
}

const DNS_TIMEOUT_MS = 2000
/** Queries of one email: SPF may need ten, a signature one, and DMARC one for each label. */
const MAX_QUERIES = 40

/**
 * Whether a signature of the sender's domain (DKIM) is valid for the complete email, or its SPF record allows the client. Runs in a
 * worker process, because signatures and keys are untrusted input.
 */
export async function verifySender({ raw, from, client, dnsServers, host }: SenderToVerify): Promise<boolean> {
  const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 })
  if (dnsServers.length > 0) dns.setServers(dnsServers)
  let queries = 0
  const resolver = async (name: string, type: string): Promise<string[][] | string[]> => {
    queries += 1
    if (queries > MAX_QUERIES) throw Object.assign(new Error('Too many queries'), { code: 'EREFUSED' })
    if (type === 'TXT') return dns.resolveTxt(name)
    if (type === 'A') return dns.resolve4(name)
    if (type === 'AAAA') return dns.resolve6(name)
    if (type === 'MX') return dns.resolveMx(name).then((records) => records.map(({ exchange }) => exchange))
    return dns.resolvePtr(name)
  }
  const { dkim, spf } = await authenticate(Buffer.from(raw), {
    mta: host,
    resolver,
    ...(client && { ip: client.ip, helo: client.helo, sender: client.sender }),
    disableArc: true,
    disableDmarc: true,
    disableBimi: true,
    rejectRsaSha1: true,
  })
  const domain = domainOf(from)
  // Text that was appended after the signed part is not authenticated.
  const isSigned = dkim.results.some(
    ({ status, signingDomain = '', signatureTimeValid }) =>
      status.result === 'pass' &&
      !status.underSized &&
      signatureTimeValid !== false &&
      isAligned(signingDomain.toLowerCase(), domain),
  )
  const isAllowed =
    client !== null &&
    client.sender !== '' &&
    spf !== false &&
    spf.status.result === 'pass' &&
    isAligned(domainOf(client.sender), domain)
  return isSigned || isAllowed
}
