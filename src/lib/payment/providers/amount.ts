/** Minor units as a decimal with a point, e.g. 1050 as `10.50`. */
export function decimalOf(amount: number): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

/** A decimal number or text as minor units, computed without floating point; null when it is none. */
export function minorUnitsOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const match = /^(\d{1,9})(?:\.(\d{1,2})0{0,6})?$/.exec(text)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
}
