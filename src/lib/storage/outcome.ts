import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileUserKind } from '#lib/core/shared/stored-file.ts'
import type { Reason } from './schema.ts'

export interface FileUse {
  kind: FileUserKind
  id: string
  title: string
}

/** What came of one of several files. */
export interface Outcome {
  fileId: string
  name: string
  done: boolean
  /** Why not. */
  reason: Reason | null
  /** What uses it or something in it, where that is the reason. */
  uses: FileUse[]
  /** The folder it lay in before, to undo a move. */
  previousFolderId: string | null
}

/** Of a file that did what was asked, unless a reason says otherwise. */
export function outcomeOf(
  { id, name, parentId }: { id: string; name: string; parentId: string | null },
  reason: Reason | null = null,
  uses: FileUse[] = [],
): Outcome {
  return { fileId: id, name, done: reason === null, reason, uses, previousFolderId: parentId }
}

/** In the order in which they were asked for; what is not among them was not found. Refuses with not_found when none was. */
export function inRequestOrder(fileIds: readonly string[], outcomes: readonly Outcome[]): Outcome[] {
  if (outcomes.length === 0) throw new Refusal('not_found')
  const known = new Map(outcomes.map((outcome) => [outcome.fileId, outcome]))
  return [...new Set(fileIds)].map((id) => known.get(id) ?? outcomeOf({ id, name: '', parentId: null }, 'not_found'))
}

/** Changes of a school's folders follow each other: two moves at once could make a circle. */
export async function lockFolders(tx: Tx, { tenantId }: Actor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`storage ${tenantId}`}, 0))`)
}
