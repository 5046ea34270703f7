const MINOR_UNITS = 100

/** A typed amount («1 499,50») in minor units; null for text that is no amount with at most two decimals. */
export function parseMoney(typed: string): number | null {
  const plain = typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(plain) ?? []
  if (whole === undefined) return null
  return Number(whole) * MINOR_UNITS + Number(fraction.padEnd(2, '0'))
}

/** Minor units as the text of a field: `1499.50`, `1500`. */
export function moneyInput(amount: number): string {
  const fraction = amount % MINOR_UNITS
  const whole = Math.floor(amount / MINOR_UNITS)
  return fraction === 0 ? String(whole) : `${whole}.${String(fraction).padStart(2, '0')}`
}
