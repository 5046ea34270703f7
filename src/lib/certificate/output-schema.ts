import { z } from 'zod'
import { CERTIFICATE_STATES, CERTIFICATE_TYPES } from '#lib/certificate/state-schema.ts'
import { Delivery, HistoryEntry } from './issue/snapshot-schema.ts'
import { RuleText } from './rule/schema.ts'
import { TemplateText } from './template/schema.ts'

const State = z.enum(CERTIFICATE_STATES)

export const RuleOutput = RuleText.extend({ courseId: z.string(), version: z.number() })
export const SavedVersionOutput = z.object({ version: z.number() })

export const TemplateOutput = TemplateText.extend({ id: z.string(), version: z.number() })
export const TemplateList = z.array(TemplateOutput)
export const CreatedTemplate = z.object({ templateId: z.string() })

const Missing = z.discriminatedUnion('key', [
  z.object({ key: z.literal('completion'), percent: z.number(), needed: z.number() }),
  z.object({ key: z.literal('tasks'), count: z.number() }),
  z.object({ key: z.literal('test'), score: z.number().nullable(), needed: z.number().nullable() }),
  z.object({ key: z.literal('deadline'), at: z.date() }),
  z.object({ key: z.literal('access') }),
])

const CertificateOfStudent = z.object({
  id: z.string(),
  publicId: z.string(),
  state: State,
  number: z.string().nullable(),
  name: z.string(),
  nameConfirmedAt: z.date().nullable(),
  dueAt: z.date().nullable(),
  issuedAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
})

export const QualifiedList = z.object({
  items: z.array(
    z.object({
      studentId: z.string(),
      name: z.string(),
      email: z.string(),
      percent: z.number(),
      score: z.number().nullable(),
      missing: z.array(Missing),
      certificate: CertificateOfStudent.nullable(),
    }),
  ),
  next: z.string().nullable(),
})

export const CertificateCountsOutput = z.record(State, z.number())
export const QueuedCertificatesOutput = z.object({ queued: z.number(), skipped: z.number() })
export const CertificateRef = z.object({ certificateId: z.string() })

const OwnCertificateOutput = z.object({
  id: z.string(),
  publicId: z.string(),
  courseId: z.string(),
  course: z.string(),
  type: z.enum(CERTIFICATE_TYPES),
  state: State,
  number: z.string().nullable(),
  name: z.string(),
  nameConfirmedAt: z.date().nullable(),
  issuedAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
  reason: z.string(),
  trackingNumber: z.string(),
})
export const OwnCertificateList = z.array(OwnCertificateOutput)
export const OwnCertificateOfCourseOutput = z
  .object({
    type: z.enum(CERTIFICATE_TYPES),
    autoIssue: z.boolean(),
    missing: z.array(Missing),
    name: z.string(),
    certificate: OwnCertificateOutput.nullable(),
  })
  .nullable()

export const RequestList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      publicId: z.string(),
      studentId: z.string(),
      name: z.string(),
      email: z.string(),
      state: State,
      number: z.string().nullable(),
      delivery: Delivery.nullable(),
      trackingNumber: z.string(),
      reason: z.string(),
      scan: z.object({ id: z.string(), name: z.string() }).nullable(),
      history: z.array(HistoryEntry),
      createdAt: z.date(),
    }),
  ),
  next: z.string().nullable(),
})
export const ChangedRequest = z.object({ state: State })
