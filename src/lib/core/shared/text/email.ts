import { z } from 'zod'

/** Maximum length of an address (RFC 5321) and of its local part, in octets. */
const LONGEST = 254
const LONGEST_LOCAL = 64

/**
 * The schema of email addresses. Returns the form in which an address is compared and stored: lower case, the local
 * part in NFC, the domain in its ASCII form (`xn--…`, UTS 46). Letters of other alphabets are allowed on both sides;
 * letters that only look Latin are rejected as probable errors.
 */
export const Email = z
  .string()
  .trim()
  .min(1, { error: 'required', abort: true })
  .transform((typed, context) => {
    const email = canonical(typed)
    if (email !== null) return email
    context.addIssue({ code: 'custom', message: 'email' })
    return z.NEVER
  })

/** Whether an address requires a mail server with SMTPUTF8 (RFC 6531). */
export const needsUtf8 = (email: string): boolean => !/^[\x20-\x7e]*$/.test(email)

/**
 * The first letter of an address that only looks Latin, with the word or label in which it is: usually typed with another
 * keyboard layout. Null for an address without one.
 */
export function findMixedLetter(address: string): { character: string; word: string } | null {
  for (const word of address.normalize('NFC').split(/[@.]/)) {
    const character = LATIN.test(word) ? LOOK_ALIKE.exec(word)?.[0] : undefined
    if (character) return { character, word }
  }
  const top = address.slice(address.lastIndexOf('.') + 1).toLowerCase()
  return FALSE_TOP.test(top) ? { character: top.slice(0, 1), word: top } : null
}

const WORD = String.raw`[\p{L}\p{M}\p{N}_'+-]+`
const LOCAL = new RegExp(String.raw`^${WORD}(?:\.${WORD})*$`, 'u')
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
const LATIN = /\p{Script=Latin}/u
// "com" in Cyrillic letters, which is no top-level domain.
const FALSE_TOP = /^\u0441\u043e\u043c$/
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

function canonical(typed: string): string | null {
  if (typed.length > LONGEST) return null
  const at = typed.lastIndexOf('@')
  const local = localOf(typed.slice(0, Math.max(at, 0)))
  const domain = domainOf(typed.slice(at + 1))
  if (local === null || domain === null) return null
  const email = `${local}@${domain}`
  return bytesOf(email) <= LONGEST ? email : null
}

function localOf(typed: string): string | null {
  const local = typed.normalize('NFC').toLowerCase().normalize('NFC')
  if (!LOCAL.test(local) || (LATIN.test(local) && LOOK_ALIKE.test(local)) || bytesOf(local) > LONGEST_LOCAL) return null
  // Characters that are compatible with plain letters, such as the kelvin sign, would make two addresses equal.
  return typed.toLowerCase().normalize('NFKC') === local && isFold(typed, local) ? local : null
}

// Lower-casing must not convert a character of another alphabet to an ASCII letter.
const isFold = (typed: string, local: string): boolean => needsUtf8(typed) === needsUtf8(local)

function domainOf(typed: string): string | null {
  if (!TYPED_DOMAIN.test(typed)) return null
  const labels = typed.normalize('NFC').split(/[.\u3002\uff0e\uff61]/)
  if (labels.some((label) => LATIN.test(label) && LOOK_ALIKE.test(label))) return null
  if (FALSE_TOP.test(labels.at(-1)?.toLowerCase() ?? '')) return null
  const domain = asciiOf(typed)
  if (domain === null || domain.length > 253) return null
  const ascii = domain.split('.')
  const top = ascii.at(-1) ?? ''
  if (ascii.length < 2 || ascii.some((label) => label.length > 63 || !LABEL.test(label))) return null
  return TOP_LABEL.test(top) ? domain : null
}

// The URL parser is the only implementation of UTS 46 that both browsers and Node have.
function asciiOf(domain: string): string | null {
  const address = `http://${domain}/`
  return URL.canParse(address) ? new URL(address).hostname : null
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
