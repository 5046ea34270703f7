import { z } from 'zod'
import { EmailSetting } from '#lib/workshop/schema.ts'

const ReminderEntry = z.object({
  kind: z.enum(['day', 'confirmed', 'hour', 'tenMinutes', 'startMissed', 'attended', 'leftEarly', 'missed']),
  setting: EmailSetting,
  dueAt: z.date().nullable(),
  past: z.boolean(),
  sent: z.number(),
  failed: z.number(),
  planned: z.number(),
  refused: z.number(),
})

export const ReminderSchedule = z.object({
  entries: z.array(ReminderEntry),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  owesApology: z.boolean(),
  refused: z.number(),
})

export const EmailPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const SentEmail = z.object({
  id: z.string(),
  kind: z.enum([
    'day',
    'canceled',
    'pending',
    'confirmed',
    'waitlisted',
    'declined',
    'hour',
    'tenMinutes',
    'startMissed',
    'attended',
    'leftEarly',
    'missed',
    'offer',
    'rescheduled',
    'apology',
  ]),
  name: z.string(),
  email: z.string(),
  registrationId: z.string(),
  subject: z.string().nullable(),
  state: z.enum(['queued', 'sent', 'delivered', 'bounced', 'failed', 'recalled', 'refused']),
  error: z.string().nullable(),
  at: z.date(),
  sentAt: z.date().nullable(),
  batchId: z.string().nullable(),
  recallUntil: z.date().nullable(),
})
