import { z } from 'zod'
import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import {
  deleteAutomation,
  getAutomation,
  listAutomations,
  previewAutomation,
  saveAutomation,
  switchAutomation,
} from './automation.ts'
import { listAutomationRuns } from './list-runs.ts'
import * as output from './output-schema.ts'
import { AUTOMATION_ROLES } from './rules.ts'
import * as schema from './schema.ts'
import { resendWebhook } from './webhook/resend.ts'
import { rotateWebhookSecret } from './webhook/rotate-secret.ts'

const manager = procedureForRoles(...AUTOMATION_ROLES)

export const automationProcedures = {
  listAutomations: manager
    .route({ summary: 'Returns the automations of the school, newest first' })
    .input(schema.ListAutomations)
    .output(output.AutomationPage)
    .handler(({ input, context }) => listAutomations(context.actor, input)),
  getAutomation: manager
    .route({ summary: 'Returns an automation with its settings' })
    .input(schema.AutomationId)
    .output(output.AutomationDetails)
    .handler(({ input, context }) => getAutomation(context.actor, input)),
  getPreview: manager
    .route({ summary: 'Returns whom an automation would have reached in the last 30 days' })
    .input(schema.AutomationId)
    .output(output.AutomationPreview)
    .handler(({ input, context }) => previewAutomation(context.actor, input)),
  listRuns: manager
    .route({ summary: 'Returns what an automation has done, latest first' })
    .input(schema.ListAutomationRuns)
    .output(output.AutomationRunPage)
    .handler(({ input, context }) => listAutomationRuns(context.actor, input)),
  saveAutomation: manager
    .route({ summary: 'Creates or changes an automation' })
    .input(schema.SaveAutomation)
    .output(z.object({ version: z.number() }))
    .handler(({ input, context }) => saveAutomation(context.actor, input)),
  switchAutomation: manager
    .route({ summary: 'Switches an automation on or off' })
    .input(schema.SwitchAutomation)
    .output(NoOutput)
    .handler(({ input, context }) => switchAutomation(context.actor, input).then(noOutput)),
  rotateSecret: manager
    .route({ summary: 'Gives the webhook of an automation a new secret; the previous one stays valid for a day' })
    .input(schema.RotateSecret)
    .output(z.object({ version: z.number() }))
    .handler(({ input, context }) => rotateWebhookSecret(context.actor, input)),
  resendWebhook: manager
    .route({ summary: 'Calls the webhook of a run that has failed again' })
    .input(schema.AutomationRunId)
    .output(NoOutput)
    .handler(({ input, context }) => resendWebhook(context.actor, input).then(noOutput)),
  deleteAutomation: manager
    .route({ summary: 'Deletes an automation' })
    .input(schema.AutomationId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteAutomation(context.actor, input).then(noOutput)),
}
