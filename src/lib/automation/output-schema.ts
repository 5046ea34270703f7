import { z } from 'zod'
import { AUTOMATION_ACTIONS, AUTOMATION_TRIGGERS, AutomationSettings } from './schema.ts'

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
})
export type AutomationDetails = z.output<typeof AutomationDetails>

export const AutomationPreview = z.object({
  total: z.number(),
  /** At most 100 of them. */
  items: z.array(z.object({ studentId: z.string(), name: z.string(), subject: z.string(), dueAt: z.date() })),
})
export type AutomationPreview = z.output<typeof AutomationPreview>
