import { z } from 'zod'
import { Picture } from '#lib/storage/output-schema.ts'
import { FormQuestion } from '#lib/workshop/schema.ts'
import { SentEmail } from './email/output-schema.ts'
import { ImportedLine, RegistrationImportOutcome } from './registrants/output-schema.ts'

const Speaker = z.object({ name: z.string(), about: z.string(), picture: Picture.nullable() })

const Verdict = z.object({ allow: z.boolean(), reason: z.string() })

const SessionChoice = z.object({ startAt: z.date() })

const CalendarLinks = z.object({ google: z.string(), outlook: z.string() })

export const Invitation = z.object({
  id: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  title: z.string(),
  description: z.string(),
  language: z.enum(['uk', 'en']),
  access: z.enum(['open', 'registration', 'students', 'paid', 'link']),
  isPublished: z.boolean(),
  cover: Picture.nullable(),
  speakers: z.array(Speaker),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  plannedMinutes: z.number(),
  status: z.enum(['finished', 'pending', 'upcoming', 'active', 'expired']),
  isCanceled: z.boolean(),
  verdict: Verdict,
  nextState: z.enum(['pending', 'confirmed', 'waitlisted']).nullable(),
  seatsLeft: z.number().nullable(),
  form: z.object({
    phone: z.enum(['required', 'optional', 'off']),
    questions: z.array(FormQuestion),
    marketing: z.boolean(),
  }),
  sessions: z.array(SessionChoice),
  onDemand: z.boolean(),
  links: CalendarLinks.nullable(),
  ownKey: z.string().nullable(),
})

export const RegistrationResult = z.object({
  state: z.enum(['pending', 'confirmed', 'waitlisted']),
  key: z.string().nullable(),
  pass: z.string().nullable(),
})

export const AddRegistrationOutput = z.object({ outcome: RegistrationImportOutcome })

export const ImportRegistrationOutput = z.object({ lines: z.array(ImportedLine), resetsAt: z.date().nullable() })

export const ListEmailsOutput = z.object({ items: z.array(SentEmail), next: z.string().nullable() })

export const SendTestRegistrationOutput = z.object({ sent: z.number() })

export const RecallRegistrationOutput = z.object({ recalled: z.number() })

export const ApologizeOutput = z.object({ sent: z.number() })
