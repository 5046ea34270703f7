export interface Decimal {
  digits: bigint
  scale: number
}

const DECIMAL = /^([+-]?)(\d{0,15})(?:\.(\d{0,15}))?(?:e([+-]?\d{1,2}))?$/i
const MAX_SCALE = 40

/**
 * Parses a typed number: a decimal point or comma, also without digits on one side; spaces or apostrophes between groups
 * of three digits, or the other one of point and comma; any minus character; an exponent. Null for other text; numbers
 * are limited to 15 digits on each side and an exponent of ±20.
 */
export function parseDecimal(text: string): Decimal | null {
  const [, sign, whole = '', part = '', exponent = '0'] = DECIMAL.exec(withPoint(text)) ?? []
  if (whole === '' && part === '') return null
  const shift = Number(exponent)
  if (Math.abs(shift) > 20) return null
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n)
  const scale = part.length - shift
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** The text without separators between thousands and with a decimal point. */
function withPoint(text: string): string {
  const compact = text
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/^([+-])\s+/, '$1')
    .replace(/(?<=\d)[\s'’ʼ](?=\d{3}(?!\d))/g, '')
  const decimal = compact.lastIndexOf(',') > compact.lastIndexOf('.') ? ',' : '.'
  const [before = '', ...after] = compact.split(decimal)
  // A separator that occurs twice separates thousands.
  if (after.length > 1) return withoutThousands(compact, decimal)
  const whole = withoutThousands(before, decimal === ',' ? '.' : ',')
  return after.length === 0 ? whole : `${whole}.${after[0]}`
}

/** Digits in groups of three without their separators; other text unchanged. */
function withoutThousands(text: string, separator: string): string {
  const [first = '', ...groups] = text.split(separator)
  const isGrouped = /^[+-]?\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return isGrouped ? [first, ...groups].join('') : text
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
