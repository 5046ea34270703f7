import { enqueueJobWithCommit } from './jobs.ts'

/** What has just happened; see `AUTOMATION_TRIGGERS`. The other triggers depend on the time only. */
export type AutomationEvent = 'courseJoined' | 'testFailed' | 'courseCompleted' | 'eventMissed'

export interface AutomationRequest {
  tenantId: string
  event: AutomationEvent
}

/**
 * Lets the automations of a school act immediately after the commit of the surrounding transaction, in which something
 * has happened. Requests that wait for the same school and event are one job. A request that is lost is made up for by
 * the periodic job.
 */
export function requestAutomations(tenantId: string, event: AutomationEvent): Promise<void> {
  const request: AutomationRequest = { tenantId, event }
  return enqueueJobWithCommit('automation.react', { ...request }, `${tenantId}/${event}`)
}
