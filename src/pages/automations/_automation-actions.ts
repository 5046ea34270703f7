import type { z } from 'zod'
import { deleteAutomation, saveAutomation, switchAutomation } from '#lib/automation/automation.ts'
import { AutomationRunId, type AutomationSettings, RotateSecret, SaveAutomation } from '#lib/automation/schema.ts'
import { resendWebhook } from '#lib/automation/webhook/resend.ts'
import { rotateWebhookSecret } from '#lib/automation/webhook/rotate-secret.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { readNumberField } from '../course/_quiz/quiz-fields.ts'

/** Form actions of the editor of an automation; the id of a new one is a field of its form. */
export function automationActions(actor: Actor, automationId: string | null): FormActions {
  const idOf = (form: FormData) => automationId ?? parseId(formText(form, 'automationId'))
  const change = (isOn: boolean) => async (form: FormData) => {
    const id = idOf(form)
    await switchAutomation(actor, { automationId: id, isOn })
    return `/automations/${id}?notice=${isOn ? 'on' : 'off'}`
  }
  return {
    save: async (form) => {
      const id = idOf(form)
      const version = Number(formText(form, 'version'))
      await saveAutomation(actor, SaveAutomation.parse({ automationId: id, version, settings: readSettings(form) }))
      return automationId ? `/automations/${id}?notice=saved` : `/automations/${id}?notice=created&tab=preview`
    },
    switchOn: change(true),
    switchOff: change(false),
    rotateSecret: async (form) => {
      const id = idOf(form)
      await rotateWebhookSecret(
        actor,
        RotateSecret.parse({ automationId: id, version: Number(formText(form, 'version')) }),
      )
      return `/automations/${id}?notice=rotated`
    },
    resend: async (form) => {
      const id = idOf(form)
      const run = { automationId: id, studentId: formText(form, 'studentId'), cause: formText(form, 'cause') }
      await resendWebhook(actor, AutomationRunId.parse(run))
      return `/automations/${id}?tab=log&notice=resent`
    },
    delete: async (form) => {
      await deleteAutomation(actor, { automationId: idOf(form) })
      return '/automations?notice=deleted'
    },
  }
}

function readSettings(form: FormData): z.input<typeof AutomationSettings> {
  const text = (name: string) => formText(form, name)
  // An empty field of a required number is refused as text that is no number.
  const number = (name: string) => readNumberField(form, name) ?? Number.NaN
  return {
    title: text('title'),
    trigger: oneOf(text('trigger')),
    courseId: text('courseId') || null,
    days: number('days'),
    delayHours: number('delayHours'),
    action: oneOf(text('action')),
    subject: text('subject'),
    text: text('text'),
    tag: text('tag'),
    givenCourseId: text('givenCourseId') || null,
    groupId: text('groupId') || null,
    webhookAddress: text('webhookAddress'),
  }
}

/** A value of a select; the schema refuses unknown ones. */
const oneOf = <T extends string>(value: string): T => value as T
