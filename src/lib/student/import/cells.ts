import type { ImportReason, ImportWarning } from '#lib/core/shared/student-import.ts'
import { Email, findMixedLetter } from '#lib/core/shared/text/email.ts'
import { cleanName } from '#lib/core/shared/text/person-name.ts'
import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

const MAX_PHONE = 40
const SCIENTIFIC = /^(\d)(?:[.,](\d{1,20}))?e\+?(\d{1,2})$/i

export interface ReadEmail {
  email: string | null
  /** The name before an address: "Olena <olena@example.com>". */
  name: string
  /** The address is the first of several. */
  isFirst: boolean
  reason: ImportReason | null
}

/**
 * The address of a cell: also a link (`mailto:`), an address after a name and the first of several addresses. `reason`
 * states why there is none.
 */
export function readEmailCell(cell: string): ReadEmail {
  const text = cell.replace(/[\p{Cf}\u00a0]/gu, (sign) => (sign === '\u00a0' ? ' ' : '')).trim()
  const found = (email: string, isFirst: boolean, name = ''): ReadEmail => ({ email, isFirst, name, reason: null })
  const whole = Email.safeParse(text)
  if (whole.success) return found(whole.data, false)
  const candidates = candidatesOf(text)
  for (const candidate of candidates) {
    const email = Email.safeParse(candidate)
    if (email.success) return found(email.data, candidates.length > 1, nameBefore(text))
  }
  return { email: null, isFirst: false, name: '', reason: emailReason(text, candidates[0] ?? text) }
}

function candidatesOf(text: string): string[] {
  const addresses = text
    .split(/[\s,;|/<>()[\]"«»]+/)
    .map((part) =>
      part
        .replace(/^mailto:/i, '')
        .split('?', 1)
        .join(),
    )
    .map((part) => trimEndOf(part.replace(/^['`.:]+/, ''), "'`.:"))
    .filter((part) => part.includes('@'))
  return [...new Set(addresses)]
}

/** The name in "Olena Koval <olena@example.com>". */
function nameBefore(text: string): string {
  const at = text.indexOf('<')
  const name = at > 0 ? cleanName(text.slice(0, at).replace(/["']/g, '')) : ''
  return name.includes('@') ? '' : name
}

function emailReason(text: string, candidate: string): ImportReason {
  if (text === '') return 'email_missing'
  if (findMixedLetter(candidate)) return 'email_look_alike'
  return /^[^\s@]+@[^\s@.]+$/.test(candidate) ? 'email_no_dot' : 'email_invalid'
}

/**
 * The phone of a cell as it will be stored, and a warning about one that a spreadsheet has rounded (not stored), has an
 * unusual number of digits, or is the first of several.
 */
export function readPhoneCell(cell: string): { phone: string | null; warning: ImportWarning | null } {
  const typed = cleanName(cell)
  const text = typed
    .replace(/^['`]+/, '')
    .replace(/^tel:/i, '')
    .replace(/^(\d{7,15})[.,]0+$/, '$1')
  const warn = (code: ImportWarning['code']): ImportWarning => ({ code, value: typed.slice(0, MAX_PHONE) })
  const scientific = SCIENTIFIC.exec(text)
  if (scientific) {
    const [, first = '', fraction = '', exponent = ''] = scientific
    // All digits are present: nothing was rounded.
    if (fraction.length === Number(exponent)) return withDigits(`${first}${fraction}`, warn)
    return { phone: null, warning: warn('phone_scientific') }
  }
  const parts = text.split(/[,;/|]/).filter((part) => countDigits(part) >= 7)
  if (parts.length < 2) return withDigits(text, warn)
  return { phone: withDigits(parts[0]?.trim() ?? '', warn).phone, warning: warn('phone_first') }
}

function withDigits(text: string, warn: (code: ImportWarning['code']) => ImportWarning) {
  const digits = countDigits(text)
  if (digits === 0) return { phone: null, warning: /\p{L}/u.test(text) ? warn('phone_unusual') : null }
  return {
    phone: text.slice(0, MAX_PHONE),
    warning: digits < 10 || digits > 15 || text.length > MAX_PHONE ? warn('phone_unusual') : null,
  }
}

const countDigits = (text: string): number => text.replace(/[^0-9]/g, '').length
