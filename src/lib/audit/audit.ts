import { type Tx, writeWithCommit } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AuditAction } from './schema.ts'
import { auditEntry } from './table.ts'
import type { AuditValues } from './values-schema.ts'

const MAX_NAME_LENGTH = 300
/** PostgreSQL accepts 65,535 parameters in a statement. */
const MAX_ROWS = 1000

/**
 * The author of an action: the actor of a request, or a member without a login session. A null member is the system.
 */
export type AuditActor = Pick<Actor, 'tenantId' | 'address'> & { membershipId: string | null }

export interface NewAuditEntry {
  action: AuditAction
  objectId: string
  /** Name of the object for readers of the log, e.g. a person's name or email address. */
  objectName: string
  /** Values of the changed fields before the action; absent when the object is new. */
  before?: AuditValues
  /** Values of the changed fields after the action; absent when the object was deleted. */
  after?: AuditValues
}

/**
 * Appends an entry to the audit log in the transaction of the audited action, so that neither is stored without the
 * other.
 * @param tx the transaction of the actor's tenant in which the action is performed
 */
export async function recordAuditEntry(tx: Tx, actor: AuditActor, entry: NewAuditEntry): Promise<void> {
  await recordAuditEntries(tx, actor, [entry])
}

/** The same for an action on many objects: one entry for each, in one statement a thousand entries. */
export async function recordAuditEntries(tx: Tx, actor: AuditActor, entries: readonly NewAuditEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += MAX_ROWS)
    await insertAuditEntries(tx, actor, entries.slice(start, start + MAX_ROWS))
}

/**
 * The same for at most a thousand objects, in one message with the commit of the transaction. Not for an action that
 * erases entries of the log.
 */
export function recordAuditEntriesWithCommit(tx: Tx, actor: AuditActor, entries: readonly NewAuditEntry[]): void {
  if (entries.length > MAX_ROWS) throw new RangeError('too many audit entries for one statement')
  if (entries.length > 0) writeWithCommit(insertAuditEntries(tx, actor, entries))
}

function insertAuditEntries(tx: Tx, actor: AuditActor, entries: readonly NewAuditEntry[]) {
  return tx.insert(auditEntry).values(
    entries.map((entry) => ({
      ...entry,
      objectName: entry.objectName.slice(0, MAX_NAME_LENGTH),
      tenantId: actor.tenantId,
      actorId: actor.membershipId,
      address: actor.address?.slice(0, 64),
    })),
  )
}
