/** Digits that identify a phone within a country; what precedes them is the country or trunk code. */
const KEY_DIGITS = 9
/** Fewer digits of a query are no part of a phone. */
const MIN_DIGITS = 4
const PHONE_QUERY = /^[+\d\s().\u00a0\u2010-\u2015-]+$/
const COUNTRY_OR_TRUNK = /^(?:00380|380|80|0)/

/**
 * A phone in the form in which all searches compare it: its last nine digits, however the country code and the
 * punctuation are written; of several numbers the first. The same as the database function `phone_key`.
 */
export const phoneKey = (phone: string): string =>
  phone
    .replace(/[,;/#][\s\S]*$/, '')
    .replace(/[^0-9]/g, '')
    .slice(-KEY_DIGITS)

/**
 * The digits by which a query finds phones: all nine, the beginning of a phone without its country or trunk code, or any
 * part of it. Null for a query that is no phone.
 */
export function phoneQuery(query: string): { key: string } | { part: string; beginning: string | null } | null {
  const digits = query.replace(/[^0-9]/g, '')
  if (digits.length < MIN_DIGITS || !PHONE_QUERY.test(query)) return null
  if (digits.length >= KEY_DIGITS) return { key: phoneKey(digits) }
  const beginning = digits.replace(COUNTRY_OR_TRUNK, '')
  return { part: digits, beginning: beginning === digits || beginning === '' ? null : beginning }
}
