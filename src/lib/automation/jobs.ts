import type { AutomationRequest } from '#lib/core/jobs/automation-request.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { reactToEvent, runAutomations } from './run-automations.ts'
import { callWebhook, type WebhookCall } from './webhook/call.ts'

export const automationJobs: JobList = {
  'automation.run': { run: () => runAutomations(), cron: '*/5 * * * *', maxAttempts: 1 },
  'automation.react': (request: AutomationRequest) => reactToEvent(request),
  'automation.callWebhook': { run: (call: WebhookCall) => callWebhook(call), concurrency: 4 },
}
