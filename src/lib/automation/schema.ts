import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

/** Events of the domain after which an automation acts. */
export const AUTOMATION_TRIGGERS = [
  'courseJoined',
  'lessonsNotOpened',
  'homeworkOverdue',
  'testFailed',
  'courseCompleted',
  'eventMissed',
] as const
export type AutomationTrigger = (typeof AUTOMATION_TRIGGERS)[number]

/**
 * `notify`: the student; `task`: an item in the inbox of the curators; `tag`: a label of the student; `giveCourse`,
 * `addToGroup`, `removeFromGroup`: access; `callWebhook`: a signed request to another system.
 */
export const AUTOMATION_ACTIONS = [
  'notify',
  'task',
  'tag',
  'giveCourse',
  'addToGroup',
  'removeFromGroup',
  'callWebhook',
] as const
export type AutomationAction = (typeof AUTOMATION_ACTIONS)[number]

/** Of a run: `pending` while a webhook is called; `refused` when the action was impossible; `failed`: see `reason`. */
export const AUTOMATION_RESULTS = ['done', 'pending', 'refused', 'failed'] as const

export const MAX_IDLE_DAYS = 90
export const MAX_DELAY_HOURS = 720

export const MAX_ADDRESS_LENGTH = 1000
export const MAX_CAUSE_LENGTH = 120

const REQUIRED_FIELDS = {
  notify: ['subject', 'text'],
  task: ['text'],
  tag: ['tag'],
  giveCourse: ['givenCourseId'],
  addToGroup: ['groupId'],
  removeFromGroup: ['groupId'],
  callWebhook: ['webhookAddress'],
} as const satisfies Record<AutomationAction, readonly string[]>

/** The request contains personal data: it is encrypted, and its address has no password. */
function isWebhookAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}

/** Everything that the editor of an automation saves. `{name}`, `{patronymic}` and `{subject}` are replaced in `text`. */
export const AutomationSettings = z
  .object({
    title: textLine(120).min(1, 'required'),
    trigger: z.enum(AUTOMATION_TRIGGERS),
    /** Null: all courses. */
    courseId: z.uuid().nullable().default(null),
    /** Of `lessonsNotOpened`: after how many days without opening a lesson. */
    days: z.int32().min(1, 'number_min').max(MAX_IDLE_DAYS, 'number_max').default(7),
    delayHours: z.int32().min(0, 'number_min').max(MAX_DELAY_HOURS, 'number_max').default(0),
    action: z.enum(AUTOMATION_ACTIONS),
    subject: textLine(160).default(''),
    text: multilineText(2000).default(''),
    tag: textLine(40).default(''),
    givenCourseId: z.uuid().nullable().default(null),
    groupId: z.uuid().nullable().default(null),
    webhookAddress: textLine(MAX_ADDRESS_LENGTH).default(''),
  })
  .superRefine((settings, { addIssue }) => {
    const { action, webhookAddress } = settings
    for (const field of REQUIRED_FIELDS[action]) {
      if (!settings[field]) addIssue({ code: 'custom', path: [field], message: 'required' })
    }
    if (action === 'callWebhook' && webhookAddress !== '' && !isWebhookAddress(webhookAddress)) {
      addIssue({ code: 'custom', path: ['webhookAddress'], message: 'web_address' })
    }
  })
export type AutomationSettings = z.output<typeof AutomationSettings>

export const AutomationId = z.object({ automationId: z.uuid() })
export type AutomationId = z.output<typeof AutomationId>

/** Version 0 creates the automation, switched off. */
export const SaveAutomation = AutomationId.extend({
  version: z.int32().min(0),
  settings: AutomationSettings,
})
export type SaveAutomation = z.output<typeof SaveAutomation>

export const SwitchAutomation = AutomationId.extend({ isOn: z.boolean() })
export type SwitchAutomation = z.output<typeof SwitchAutomation>

/** `version`: of the automation as it is shown, so that two rotations at the same time are one. */
export const RotateSecret = AutomationId.extend({ version: z.int32().min(1) })
export type RotateSecret = z.output<typeof RotateSecret>

/** A run of the log of an automation. */
export const AutomationRunId = AutomationId.extend({
  studentId: z.uuid(),
  cause: z.string().min(1).max(MAX_CAUSE_LENGTH),
})
export type AutomationRunId = z.output<typeof AutomationRunId>

export const ListAutomationRuns = AutomationId.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListAutomationRuns = z.output<typeof ListAutomationRuns>

export const ListAutomations = z.object({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListAutomations = z.output<typeof ListAutomations>
