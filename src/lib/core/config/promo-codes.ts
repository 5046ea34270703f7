import { z } from 'zod'
import { DAY_MS } from '../shared/time.ts'

const PromoCodes = z.record(
  z.string().regex(/^[A-Z0-9-]{6,40}$/),
  z.object({ percent: z.number().int().min(1).max(100), until: z.iso.date().optional() }),
)

/** A discount on one payment for a plan; `until`: the end of that day in UTC, null: without an end. */
interface PromoCode {
  percent: number
  until: Date | null
}

export const NO_PROMO_CODES: ReadonlyMap<string, PromoCode> = new Map()

/** Reads `{"WELCOME-20": {"percent": 20, "until": "2027-01-31"}}`; an invalid text is an issue of the context. */
export function readPromoCodes(text: string, context: z.RefinementCtx): ReadonlyMap<string, PromoCode> {
  try {
    const entries = Object.entries(PromoCodes.parse(JSON.parse(text)))
    return new Map(
      entries.map(([code, { percent, until }]) => [
        code,
        { percent, until: until ? new Date(Date.parse(until) + DAY_MS) : null },
      ]),
    )
  } catch {
    const example = '{"WELCOME-20":{"percent":20,"until":"2027-01-31"}}'
    context.addIssue({ code: 'custom', message: `JSON of codes of 6 to 40 A-Z, 0-9 and -, e.g. ${example}` })
    return z.NEVER
  }
}
