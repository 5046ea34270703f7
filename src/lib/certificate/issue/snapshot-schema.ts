import { z } from 'zod'
import { CERTIFICATE_STATES } from '#lib/certificate/state-schema.ts'
import { TemplateText } from '../template/schema.ts'

/**
 * The content of a certificate, frozen when it gets its number: later changes of the course or template do not affect
 * it.
 */
export const Snapshot = z.object({
  template: TemplateText,
  course: z.string(),
  school: z.string(),
  timeZone: z.string(),
  hours: z.number().nullable(),
  /** Percent of the test; null without one. */
  score: z.number().nullable(),
  /** Of the school, `#rrggbb`. */
  color: z.string(),
  /** URL of the public page. */
  url: z.string(),
})
export type Snapshot = z.output<typeof Snapshot>

/** An event in the history of a certificate. */
export const HistoryEntry = z.object({
  at: z.iso.datetime(),
  state: z.enum(CERTIFICATE_STATES),
  /** Membership; null: automatically. */
  by: z.string().nullable(),
  note: z.string().default(''),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

/** The delivery address of a certificate on paper. */
export const Delivery = z.object({
  recipient: z.string(),
  phone: z.string(),
  address: z.string(),
})
export type Delivery = z.output<typeof Delivery>
