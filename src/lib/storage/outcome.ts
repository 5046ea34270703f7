import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileUserKind } from '#lib/core/shared/stored-file.ts'
import type { FileRefusalReason } from './schema.ts'

export interface FileUse {
  kind: FileUserKind
  id: string
  title: string
}

/** The outcome for one of several files. */
export interface FileOutcome {
  fileId: string
  name: string
  done: boolean
  /** The reason of a failure. */
  reason: FileRefusalReason | null
  /** The users of the file or its content, when they are the reason. */
  uses: FileUse[]
  /** The former folder, to undo a move. */
  previousFolderId: string | null
}

/** The outcome for a file: successful without a reason. */
export function fileOutcomeOf(
  { id, name, parentId }: { id: string; name: string; parentId: string | null },
  reason: FileRefusalReason | null = null,
  uses: FileUse[] = [],
): FileOutcome {
  return { fileId: id, name, done: reason === null, reason, uses, previousFolderId: parentId }
}

/** Outcomes in the order of the request; missing files are `not_found`. Refuses with not_found when all are missing. */
export function inRequestOrder(fileIds: readonly string[], outcomes: readonly FileOutcome[]): FileOutcome[] {
  if (outcomes.length === 0) throw new Refusal('not_found')
  const known = new Map(outcomes.map((outcome) => [outcome.fileId, outcome]))
  return [...new Set(fileIds)].map(
    (id) => known.get(id) ?? fileOutcomeOf({ id, name: '', parentId: null }, 'not_found'),
  )
}

/** Serializes changes of a tenant's folders: two concurrent moves could create a cycle. */
export async function lockFolders(tx: Tx, { tenantId }: Actor): Promise<void> {
  await lockUntilCommit(tx, 'storage', tenantId)
}
