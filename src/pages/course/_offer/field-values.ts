import type { Actor } from '#lib/core/shared/actor.ts'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import { moneyInput } from '#lib/offer/money-rules.ts'
import type { OfferSettings } from '#lib/offer/schema.ts'
import type { FormResult } from '../../_request/form-actions.ts'

/** What the fields of the editor show: what was typed into a form that was not saved, otherwise what is stored. */
export function fieldValues(settings: OfferSettings, form: FormResult, { tenantTimeZone: zone }: Actor) {
  const isTyped = form.intent === 'saveOffer' || form.intent === 'previewOffer'
  const typed = isTyped ? form.typed : null
  const clock = (at: Date | null) => (at ? `${localDay(at, zone)}T${localTime(at, zone)}` : '')
  const text = (name: string, stored: string | number | null) => typed?.[name] ?? String(stored ?? '')
  return {
    isTyped,
    text,
    money: (name: string, stored: number | null) => text(name, stored === null ? '' : moneyInput(stored)),
    instant: (name: string, stored: Date | null) => text(name, clock(stored)),
    checked: (name: string, stored: boolean) => (typed ? typed[name] !== undefined : stored),
    error: (name: string) => (isTyped ? form.errors[name]?.[0] : undefined),
    settings,
  }
}

export type FieldValues = ReturnType<typeof fieldValues>
