import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

export const MAX_PASSWORD_LENGTH = 128

/** The rules that tick off while a password is typed: keys of `errors`, and sources of regular expressions (flag u). */
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

const WELL_KNOWN = ['gmail.com', 'ukr.net', 'meta.ua', 'outlook.com', 'hotmail.com', 'icloud.com', 'yahoo.com']

/** The address that was probably meant when its domain is one or two slips from a well-known one, or null. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (at < 1 || domain.length < 6 || WELL_KNOWN.includes(domain)) return null
  const meant = WELL_KNOWN.find((known) => slips(domain, known) <= (known.length > 8 ? 2 : 1))
  return meant ? `${email.slice(0, at)}@${meant}` : null
}

// Order matters: browsers name themselves after those they want to pass for.
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

/** Browser and system of a User-Agent header as people call them; null for what is not a browser. */
export function deviceOf(userAgent: string | null): { browser: string; system: string } | null {
  const nameIn = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent ?? ''))?.[0]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser && system ? { browser, system } : null
}

/** Whether an actor may give a member these roles. Roles of an owner belong to that owner alone. */
export function canChangeRoles(
  actor: Pick<Actor, 'roles' | 'membershipId'>,
  target: { membershipId: string; roles: readonly Role[] },
  wanted: readonly Role[],
): Verdict {
  if (!hasRole(actor, ['OWNER', 'DIRECTOR'])) return deny('forbidden')
  if (target.roles.includes('STUDENT') || wanted.includes('STUDENT')) return deny('not_staff')
  const own = actor.membershipId === target.membershipId
  if (target.roles.includes('OWNER') && !own) return deny('owner_protected')
  if (wanted.includes('OWNER') && !hasRole(actor, ['OWNER'])) return deny('owner_protected')
  return allow(own ? 'own' : 'manages_team')
}

export interface OwnSite {
  baseDomain: string
  scheme: string
  /** `:4321` or nothing. */
  portSuffix: string
}

/**
 * A wish to return somewhere after sign-in, if it leads to ourselves: a path from the root or an absolute address of
 * our own hosts. Anything a browser could read as another site gives null.
 */
export function safeReturnPath(wish: string | null | undefined, site: OwnSite): string | null {
  if (!wish || wish.length > 2000 || /[\p{Cc}\s\\]/u.test(wish)) return null
  if (wish.startsWith('/')) {
    const parsed = URL.parse(wish, 'https://own.invalid')
    return parsed?.host === 'own.invalid' && !/^\/\//.test(wish) && !isSignIn(parsed.pathname) ? wish : null
  }
  const parsed = URL.parse(wish)
  if (parsed?.protocol !== `${site.scheme}:` || parsed.username || parsed.password) return null
  const ours = parsed.hostname === site.baseDomain || parsed.hostname.endsWith(`.${site.baseDomain}`)
  const port = parsed.port ? `:${parsed.port}` : ''
  return ours && port === site.portSuffix && !isSignIn(parsed.pathname) ? parsed.href : null
}

// Coming back to a page of signing in would go round in a circle.
function isSignIn(pathname: string): boolean {
  return /^\/(login|register|logout|email-verify|forgot-password|reset-password)\/?$/.test(pathname)
}

// Levenshtein, Doklady Akademii Nauk 163 (1965): insertions, deletions and replacements.
function slips(from: string, to: string): number {
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
