import { z } from 'zod'

const RegistrationListItem = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  state: z.enum(['canceled', 'pending', 'confirmed', 'waitlisted', 'declined']),
  offeredUntil: z.date().nullable(),
  timeZone: z.string(),
  locale: z.enum(['uk', 'en']),
  source: z.record(z.string(), z.string()),
  marketing: z.boolean(),
  reminders: z.boolean(),
  refusedEmails: z.number(),
  sessionStartAt: z.date().nullable(),
  firstJoinedAt: z.date().nullable(),
  watchedSeconds: z.number(),
  createdAt: z.date(),
})

export const RegistrationListPage = z.object({ items: z.array(RegistrationListItem), next: z.string().nullable() })

export const RegistrationCounts = z.object({
  canceled: z.number(),
  pending: z.number(),
  all: z.number(),
  confirmed: z.number(),
  waitlisted: z.number(),
  declined: z.number(),
  came: z.number(),
})

export const DecisionOutcome = z.object({ changed: z.number(), skipped: z.number() })

export const RegistrationImportOutcome = z.enum(['confirmed', 'added', 'known', 'later'])

export const ImportedLine = z.object({
  line: z.number(),
  email: z.string(),
  outcome: z.enum(['confirmed', 'added', 'known', 'later', 'invalid', 'twice']),
})
