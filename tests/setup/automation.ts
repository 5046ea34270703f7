import {
  listAutomations as domainList,
  saveAutomation as domainSave,
  switchAutomation,
} from '#lib/automation/automation.ts'
import { listAutomationRuns as domainListRuns } from '#lib/automation/list-runs.ts'
import { ListAutomationRuns, ListAutomations, SaveAutomation } from '#lib/automation/schema.ts'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parsed } from './parsed/parsed.ts'

export const listAutomations = parsed(ListAutomations, domainList)
export const listAutomationRuns = parsed(ListAutomationRuns, domainListRuns)
export const saveAutomation = parsed(SaveAutomation, domainSave)

export type AddedSettings = Omit<Parameters<typeof saveAutomation>[1]['settings'], 'title'>

/** Adds an automation that was switched on a minute ago. Returns its id. */
export async function addEnabledAutomation(owner: Actor, settings: AddedSettings): Promise<string> {
  const automationId = newId()
  await saveAutomation(owner, { automationId, version: 0, settings: { title: 'Правило', ...settings } })
  await switchAutomation(owner, { automationId, isOn: true }, new Date(Date.now() - 60_000))
  return automationId
}

/** The data of the jobs of a school that wait for a worker, oldest first. */
export async function listWaitingJobs<Data extends object = { event: string }>(
  tenantId: string,
  name: string,
): Promise<Data[]> {
  const { rows } = await pool.query<{ data: Data }>(
    `select data from pgboss.job where name = $1 and data->>'tenantId' = $2 and state = 'created' order by created_on, id`,
    [name, tenantId],
  )
  return rows.map(({ data }) => data)
}
