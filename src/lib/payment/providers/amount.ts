/** Minor units as a decimal with a point, e.g. 1050 as `10.50`. */
export function decimalOf(amount: number): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

const MAX_MINOR_DIGITS = 11

/**
 * A decimal number or its text as minor units, computed without floating point: `100.10`, `100`, `1e2`; null when it is
 * none, has a part of a minor unit, or is a billion or more.
 */
export function minorUnitsOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d{1,15})(?:\.(\d{1,15}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const digits = whole + fraction
  const pointAt = whole.length + Number(exponent) + 2
  const units = digits.slice(0, Math.max(0, pointAt)).padEnd(Math.max(0, pointAt), '0').replace(/^0+/, '')
  const isWhole = /^0*$/.test(digits.slice(Math.max(0, pointAt)))
  return isWhole && units.length <= MAX_MINOR_DIGITS ? Number(units) : null
}
