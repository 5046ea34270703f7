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
import { AutomationId, ListAutomationRuns, ListAutomations, SaveAutomation, SwitchAutomation } from './schema.ts'

const manager = procedureForRoles(...AUTOMATION_ROLES)

export const automationProcedures = {
  listAutomations: manager
    .route({ summary: 'Returns the automations of the school, newest first' })
    .input(ListAutomations)
    .output(output.AutomationPage)
    .handler(({ input, context }) => listAutomations(context.actor, input)),
  getAutomation: manager
    .route({ summary: 'Returns an automation with its settings' })
    .input(AutomationId)
    .output(output.AutomationDetails)
    .handler(({ input, context }) => getAutomation(context.actor, input)),
  getPreview: manager
    .route({ summary: 'Returns whom an automation would have reached in the last 30 days' })
    .input(AutomationId)
    .output(output.AutomationPreview)
    .handler(({ input, context }) => previewAutomation(context.actor, input)),
  listRuns: manager
    .route({ summary: 'Returns what an automation has done, latest first' })
    .input(ListAutomationRuns)
    .output(output.AutomationRunPage)
    .handler(({ input, context }) => listAutomationRuns(context.actor, input)),
  saveAutomation: manager
    .route({ summary: 'Creates or changes an automation' })
    .input(SaveAutomation)
    .output(z.object({ version: z.number() }))
    .handler(({ input, context }) => saveAutomation(context.actor, input)),
  switchAutomation: manager
    .route({ summary: 'Switches an automation on or off' })
    .input(SwitchAutomation)
    .output(NoOutput)
    .handler(({ input, context }) => switchAutomation(context.actor, input).then(noOutput)),
  deleteAutomation: manager
    .route({ summary: 'Deletes an automation' })
    .input(AutomationId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteAutomation(context.actor, input).then(noOutput)),
}
