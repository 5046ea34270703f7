import { and, asc, count, eq, isNull, or } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { snippet } from '../table.ts'
import { SaveSnippet, SnippetId } from './schema.ts'
import { mustJudge, mustSeeQueue } from './scope.ts'

const MOST = 300

export interface SnippetView {
  id: string
  title: string
  /** `{name}`, `{lesson}`, `{course}`, `{task}`, `{attempt}` are filled in when it is taken. */
  body: string
  shared: boolean
  /** Whether the actor may change it. */
  mine: boolean
}

/** The actor's own sentences and those of the school, by title. Refuses with forbidden. */
export function listSnippets(actor: Actor): Promise<SnippetView[]> {
  mustSeeQueue(actor)
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
      .limit(MOST)
    return rows.map(({ owner, ...row }) => ({ ...row, mine: owner === actor.membershipId || managesAll(actor) }))
  })
}

/**
 * Writes a sentence down, or changes one; the owner and directors may change everybody's shared ones. Refuses with
 * forbidden, plan_inactive, not_found, unprocessable when there are too many.
 */
export function saveSnippet(actor: Actor, input: SaveSnippet): Promise<{ snippetId: string }> {
  mustJudge(actor)
  const { snippetId, ...values } = SaveSnippet.parse(input)
  return inTenant(actor, async (tx) => {
    if (snippetId) {
      const [changed] = await tx
        .update(snippet)
        .set(values)
        .where(and(ownOf(actor, snippetId), isNull(snippet.deletedAt)))
        .returning({ id: snippet.id })
      if (!changed) throw new Refusal('not_found')
      return { snippetId: changed.id }
    }
    const [{ held = 0 } = {}] = await tx
      .select({ held: count() })
      .from(snippet)
      .where(and(eq(snippet.ownerId, actor.membershipId), isNull(snippet.deletedAt)))
    if (held >= MOST) {
      throw new Refusal('unprocessable', { fields: { form: ['snippets_full'] }, variables: { used: held, max: MOST } })
    }
    const whose = { tenantId: actor.tenantId, ownerId: actor.membershipId }
    const [made] = await tx
      .insert(snippet)
      .values({ ...whose, ...values })
      .returning({ id: snippet.id })
    if (!made) throw new Refusal('not_found')
    return { snippetId: made.id }
  })
}

/** Takes a sentence away; it can be brought back. Refuses with forbidden, plan_inactive, not_found. */
export const deleteSnippet = (actor: Actor, input: { snippetId: string }) => turn(actor, input, new Date())

/** Brings it back. Refuses alike. */
export const restoreSnippet = (actor: Actor, input: { snippetId: string }) => turn(actor, input, null)

function turn(actor: Actor, input: { snippetId: string }, deletedAt: Date | null): Promise<void> {
  mustJudge(actor)
  const { snippetId } = SnippetId.parse(input)
  return inTenant(actor, async (tx) => {
    const [changed] = await tx
      .update(snippet)
      .set({ deletedAt })
      .where(ownOf(actor, snippetId))
      .returning({ id: snippet.id })
    if (!changed) throw new Refusal('not_found')
  })
}

const managesAll = (actor: Actor): boolean => hasRole(actor, ['OWNER', 'DIRECTOR'])

function ownOf(actor: Actor, snippetId: string) {
  const theirs = eq(snippet.ownerId, actor.membershipId)
  return and(eq(snippet.id, snippetId), managesAll(actor) ? or(theirs, eq(snippet.shared, true)) : theirs)
}
