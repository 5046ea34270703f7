export const MAX_PASSWORD_LENGTH = 128

/** The rules that are checked while a password is typed: keys of `errors`, and sources of regular expressions (flag u). */
export const PASSWORD_RULES = [
  { key: 'password_short', pattern: '^[^]{8,}$' },
  { key: 'password_lower', pattern: '[a-z]' },
  { key: 'password_upper', pattern: '[A-Z]' },
  { key: 'password_digit', pattern: '[0-9]' },
  { key: 'password_special', pattern: '[^\\p{L}\\p{N}\\s]' },
] as const

/** Keys of the rules that a password breaks. */
export function findPasswordProblems(password: string): string[] {
  return PASSWORD_RULES.filter(({ pattern }) => !new RegExp(pattern, 'u').test(password)).map(({ key }) => key)
}

const COMMON_DOMAINS = ['gmail.com', 'ukr.net', 'meta.ua', 'outlook.com', 'hotmail.com', 'icloud.com', 'yahoo.com']

/** The probable correct address when its domain differs from a common one in one or two letters, or null. */
export function suggestEmail(email: string): string | null {
  const atIndex = email.lastIndexOf('@')
  const domain = email.slice(atIndex + 1).toLowerCase()
  if (atIndex < 1 || domain.length < 6 || COMMON_DOMAINS.includes(domain)) return null
  const meant = COMMON_DOMAINS.find((known) => editDistance(domain, known) <= (known.length > 8 ? 2 : 1))
  return meant ? `${email.slice(0, atIndex)}@${meant}` : null
}

// The order matters: User-Agent headers contain the names of other browsers too.
const BROWSERS: [string, RegExp][] = [
  ['Edge', /Edg(A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /Safari\//],
]
const SYSTEMS: [string, RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Browser and operating system of a User-Agent header by their common names; null for other clients. */
export function deviceOf(userAgent: string | null): { browser: string; system: string } | null {
  const nameIn = (list: [string, RegExp][]) => list.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser && system ? { browser, system } : null
}

export interface OwnSite {
  baseDomain: string
  scheme: string
  /** `:4321` or nothing. */
  portSuffix: string
}

/**
 * Validates the return address of a sign-in: a path from the root or an absolute URL of this installation's hosts.
 * Returns null for anything that a browser could resolve to another site.
 */
export function safeReturnPath(returnTo: string | null | undefined, site: OwnSite): string | null {
  if (!returnTo || returnTo.length > 2000 || /[\p{Cc}\s\\]/u.test(returnTo)) return null
  if (returnTo.startsWith('/')) {
    const parsed = URL.parse(returnTo, 'https://own.invalid')
    return parsed?.host === 'own.invalid' && !/^\/\//.test(returnTo) && !isSignIn(parsed.pathname) ? returnTo : null
  }
  const parsed = URL.parse(returnTo)
  if (parsed?.protocol !== `${site.scheme}:` || parsed.username || parsed.password) return null
  const isOwnHost = parsed.hostname === site.baseDomain || parsed.hostname.endsWith(`.${site.baseDomain}`)
  const port = parsed.port ? `:${parsed.port}` : ''
  return isOwnHost && port === site.portSuffix && !isSignIn(parsed.pathname) ? parsed.href : null
}

// A return to a sign-in page would cause a redirect loop.
function isSignIn(pathname: string): boolean {
  return /^\/(login|register|logout|email-verify|forgot-password|reset-password)\/?$/.test(pathname)
}

// Levenshtein, Doklady Akademii Nauk 163 (1965): insertions, deletions and replacements.
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
