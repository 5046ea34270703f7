import type { Actor } from '#lib/core/shared/actor.ts'
import { listAuditEntries } from './parsed/audit.ts'

/** The actions in the audit log for an object, newest first. */
export async function auditedActions(owner: Actor, objectId: string): Promise<string[]> {
  return (await listAuditEntries(owner, { objectId })).items.map(({ action }) => action)
}
