import { absoluteDecimal, compareDecimals, parseDecimal, subtractDecimals } from '../../question/decimal-rules.ts'
import type { AcceptedNumber } from '../../question/schema.ts'
import { decimalText } from '../parts.ts'

/** A range as its middle and half of its width. */
export function centerOf(entry: AcceptedNumber): { value: string; tolerance: string } {
  if (entry.kind === 'value') return entry
  const [low, high] = [parseDecimal(entry.min), parseDecimal(entry.max)]
  if (!low || !high || compareDecimals(low, high) > 0) return { value: entry.min, tolerance: '0' }
  const width = absoluteDecimal(subtractDecimals(high, low))
  const half = { digits: width.digits * 5n, scale: width.scale + 1 }
  const middle = subtractDecimals(high, half)
  return { value: formatDecimal(middle), tolerance: formatDecimal(half) }
}

function formatDecimal({ digits, scale }: { digits: bigint; scale: number }): string {
  const sign = digits < 0n ? '-' : ''
  const all = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const text = `${sign}${all.slice(0, all.length - scale)}.${all.slice(all.length - scale)}`
  return decimalText(text) ?? '0'
}
