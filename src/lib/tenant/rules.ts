import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

/** Subdomains that are reserved for the platform. */
export const RESERVED_SUBDOMAINS: ReadonlySet<string> = new Set(
  `go www api app admin administrator mail smtp imap pop static assets cdn media files status help support docs blog
   login logout register registration signup signin auth account accounts billing pay payment payments dev test staging
 root system internal localhost kafedra team staff student students school schools live stream whip whep
   turn stun rtc ws ftp ns ns1 ns2 mx autodiscover autoconfig webmaster postmaster hostmaster abuse security noreply
   no-reply news shop store about terms privacy legal home web site sandbox metrics monitor health grafana sentry`
    .split(/\s+/)
    .filter(Boolean),
)

export type SubdomainProblem = 'subdomain_format' | 'subdomain_reserved'

const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9]|-(?!-)){1,38}[a-z0-9]$/

/**
 * Why a name cannot be a subdomain, as a key of `errors`, or null. A double hyphen is refused because punycode (`xn--`,
 * RFC 5891) would allow names that look like others.
 */
export function findSubdomainProblem(name: string): SubdomainProblem | null {
  if (!SUBDOMAIN.test(name)) return 'subdomain_format'
  return RESERVED_SUBDOMAINS.has(name) ? 'subdomain_reserved' : null
}

/** Candidates for a subdomain: a base, then with suffixes. The caller checks which of them are available. */
export function listSubdomainCandidates(base: string): string[] {
  const stem = trimEndOf(base.slice(0, 30), '-')
  const endings = ['', '-school', '-online', '-study', '-academy', ...Array.from({ length: 8 }, (_, n) => `-${n + 2}`)]
  return endings.map((ending) => stem + ending).filter((name) => findSubdomainProblem(name) === null)
}
