import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { OfferFields, type OfferSettings } from './schema.ts'
import type { offer } from './table.ts'

export type OfferRow = typeof offer.$inferSelect

/** The settings of a stored offer; a draft may lack e.g. its price. */
export function toOfferSettings(row: OfferRow): OfferSettings {
  const { saleFrom, saleTo, salesFrom, salesTo, accessFrom, accessUntil, ...others } = row
  const toIso = (at: Date | null) => at?.toISOString() ?? null
  return parseStored(OfferFields, {
    ...others,
    saleFrom: toIso(saleFrom),
    saleTo: toIso(saleTo),
    salesFrom: toIso(salesFrom),
    salesTo: toIso(salesTo),
    accessFrom: toIso(accessFrom),
    accessUntil: toIso(accessUntil),
  })
}
