import { z } from 'zod'
import { AUTOMATION_ACTIONS, AUTOMATION_RESULTS, AUTOMATION_TRIGGERS, AutomationSettings } from './schema.ts'

export const AutomationPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      trigger: z.enum(AUTOMATION_TRIGGERS),
      action: z.enum(AUTOMATION_ACTIONS),
      days: z.number(),
      delayHours: z.number(),
      /** Null: all courses. */
      course: z.string().nullable(),
      isOn: z.boolean(),
      /** Times that it has acted in the last 30 days. */
      reached: z.number(),
    }),
  ),
  next: z.string().nullable(),
})
export type AutomationPage = z.output<typeof AutomationPage>

export const AutomationDetails = z.object({
  id: z.string(),
  version: z.number(),
  isOn: z.boolean(),
  settings: AutomationSettings,
  /** With which the receiver checks the signature; null until the automation calls a webhook. */
  webhookSecret: z.string().nullable(),
  /** Until when requests are also signed with the secret before the last rotation; null when they are not. */
  previousSecretUntil: z.date().nullable(),
})
export type AutomationDetails = z.output<typeof AutomationDetails>

export const AutomationPreview = z.object({
  total: z.number(),
  /** At most 100 of them. */
  items: z.array(z.object({ studentId: z.string(), name: z.string(), subject: z.string(), dueAt: z.date() })),
})
export type AutomationPreview = z.output<typeof AutomationPreview>

export const AutomationRunPage = z.object({
  items: z.array(
    z.object({
      studentId: z.string(),
      /** Identifies what has happened. */
      cause: z.string(),
      name: z.string(),
      subject: z.string(),
      at: z.date(),
      result: z.enum(AUTOMATION_RESULTS),
      /** A key of the texts of errors or automations. */
      reason: z.string().nullable(),
      /** Calls of a webhook. */
      attempts: z.number(),
      responseStatus: z.number().nullable(),
      nextAttemptAt: z.date().nullable(),
    }),
  ),
  next: z.string().nullable(),
})
export type AutomationRunPage = z.output<typeof AutomationRunPage>
