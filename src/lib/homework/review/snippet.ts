import { and, asc, count, eq, isNull, or } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { snippet } from '../table.ts'
import type { SaveSnippet } from './schema.ts'
import { requireQueueAccess, requireReviewing } from './scope.ts'

const MAX_SNIPPETS = 300

export interface SnippetView {
  id: string
  title: string
  /** `{name}`, `{lesson}`, `{course}`, `{task}`, `{attempt}` are replaced when the snippet is inserted. */
  body: string
  shared: boolean
  /** The actor may change it. */
  isEditable: boolean
}

/** The actor's own snippets and the shared ones of the tenant, by title. Refuses with forbidden. */
export function listSnippets(actor: Actor): Promise<SnippetView[]> {
  requireQueueAccess(actor)
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({
        id: snippet.id,
        title: snippet.title,
        body: snippet.body,
        shared: snippet.shared,
        owner: snippet.ownerId,
      })
      .from(snippet)
      .where(and(isNull(snippet.deletedAt), or(eq(snippet.ownerId, actor.membershipId), eq(snippet.shared, true))))
      .orderBy(asc(snippet.title), asc(snippet.id))
      .limit(MAX_SNIPPETS)
    return rows.map(({ owner, ...row }) => ({
      ...row,
      isEditable: owner === actor.membershipId || canEditShared(actor),
    }))
  })
}

/**
 * Creates or changes a snippet; the owner and directors may change all shared ones. Refuses with forbidden,
 * plan_inactive, not_found, and unprocessable when there are too many.
 */
export function saveSnippet(actor: Actor, input: SaveSnippet): Promise<{ snippetId: string }> {
  requireReviewing(actor)
  const { snippetId, ...values } = input
  return inTenant(actor, async (tx) => {
    if (snippetId) {
      const [changed] = await tx
        .update(snippet)
        .set(values)
        .where(and(editableBy(actor, snippetId), isNull(snippet.deletedAt)))
        .returning({ id: snippet.id })
      if (!changed) throw new Refusal('not_found')
      return { snippetId: changed.id }
    }
    const [{ used = 0 } = {}] = await tx
      .select({ used: count() })
      .from(snippet)
      .where(and(eq(snippet.ownerId, actor.membershipId), isNull(snippet.deletedAt)))
    if (used >= MAX_SNIPPETS) {
      throw formRefusal('snippets_full', { used, max: MAX_SNIPPETS })
    }
    const owner = { tenantId: actor.tenantId, ownerId: actor.membershipId }
    const [created] = await tx
      .insert(snippet)
      .values({ ...owner, ...values })
      .returning({ id: snippet.id })
    if (!created) throw new Refusal('not_found')
    return { snippetId: created.id }
  })
}

/** Deletes a snippet; it can be restored. Refuses with forbidden, plan_inactive, not_found. */
export const deleteSnippet = (actor: Actor, input: { snippetId: string }) => setDeletedAt(actor, input, new Date())

/** Restores a deleted snippet. Refuses as deleteSnippet. */
export const restoreSnippet = (actor: Actor, input: { snippetId: string }) => setDeletedAt(actor, input, null)

function setDeletedAt(actor: Actor, input: { snippetId: string }, deletedAt: Date | null): Promise<void> {
  requireReviewing(actor)
  const { snippetId } = input
  return inTenant(actor, async (tx) => {
    const [changed] = await tx
      .update(snippet)
      .set({ deletedAt })
      .where(editableBy(actor, snippetId))
      .returning({ id: snippet.id })
    if (!changed) throw new Refusal('not_found')
  })
}

const canEditShared = (actor: Actor): boolean => hasRole(actor, ['OWNER', 'DIRECTOR'])

function editableBy(actor: Actor, snippetId: string) {
  const isOwn = eq(snippet.ownerId, actor.membershipId)
  return and(eq(snippet.id, snippetId), canEditShared(actor) ? or(isOwn, eq(snippet.shared, true)) : isOwn)
}
