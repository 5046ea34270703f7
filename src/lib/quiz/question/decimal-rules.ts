/**
 * Parses a typed number: a decimal point or comma, spaces between groups of digits, any minus character, an exponent.
 * Null for other text; numbers are limited to 15 digits on each side and an exponent of ±20.
 */
export interface Decimal {
  digits: bigint
  scale: number
}

const DECIMAL = /^([+-]?)(\d{1,15})(?:\.(\d{1,15}))?(?:e([+-]?\d{1,2}))?$/i
const MAX_SCALE = 40

/** Negative, zero or positive when `a` is less than, equal to or greater than `b`. */
export function parseDecimal(text: string): Decimal | null {
  const compact = text
    .trim()
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/[−–]/g, '-')
    .replace(',', '.')
  const [, sign, whole, part = '', exponent = '0'] = DECIMAL.exec(compact) ?? []
  if (whole === undefined) return null
  const shift = Number(exponent)
  if (Math.abs(shift) > 20) return null
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n)
  const scale = part.length - shift
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const difference = subtractDecimals(a, b).digits
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.min(MAX_SCALE, Math.max(a.scale, b.scale))
  return { digits: rescale(a, scale) - rescale(b, scale), scale }
}

export const absoluteDecimal = ({ digits, scale }: Decimal): Decimal => ({
  digits: digits < 0n ? -digits : digits,
  scale,
})

const rescale = ({ digits, scale }: Decimal, target: number): bigint => digits * 10n ** BigInt(target - scale)
