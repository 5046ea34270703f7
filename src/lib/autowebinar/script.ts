import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ordered } from '#lib/core/shared/merge.ts'
import { mustManage, mustSeeWorkshop } from '#lib/workshop/permission.ts'
import { workshopItem } from '#lib/workshop/table.ts'
import { noteFiles } from './film-use.ts'
import { beginPlan } from './plan.ts'
import { type Line, LONGEST_MS, MOST_LINES, OfWorkshop, SaveLine, ShiftLines, SomeLines, TRACK_OF } from './schema.ts'
import { autoLine } from './table.ts'

const fields = {
  id: autoLine.id,
  offsetMs: autoLine.offsetMs,
  position: autoLine.position,
  version: autoLine.version,
  track: autoLine.track,
  type: autoLine.type,
  payload: autoLine.payload,
}

/** The living lines of a script in their order. */
export async function linesOf(tx: Tx, workshopId: string): Promise<Line[]> {
  const rows = await tx
    .select(fields)
    .from(autoLine)
    .where(and(eq(autoLine.workshopId, workshopId), isNull(autoLine.deletedAt)))
    .orderBy(asc(autoLine.offsetMs), asc(autoLine.position), asc(autoLine.id))
    .limit(MOST_LINES)
  // The payload was checked against its type when it was written.
  return rows as Line[]
}

/** The whole script for its editor. Refuses with forbidden, not_found. */
export function listLines(actor: Actor, input: { workshopId: string }): Promise<Line[]> {
  const { workshopId } = OfWorkshop.parse(input)
  return inTenant(actor, async (tx) => {
    await mustSeeWorkshop(tx, actor, workshopId)
    return linesOf(tx, workshopId)
  })
}

/** Which items of a script somebody has deleted since; their contents stand in its lines. Refuses with forbidden, not_found. */
export function listGone(actor: Actor, input: { workshopId: string }): Promise<string[]> {
  const { workshopId } = OfWorkshop.parse(input)
  return inTenant(actor, async (tx) => {
    await mustSeeWorkshop(tx, actor, workshopId)
    const named = sql`${workshopItem.id}::text in (${autoLine.payload}->>'buttonId', ${autoLine.payload}->>'pollId',
      ${autoLine.payload}->>'handoutId')`
    const rows = await tx
      .selectDistinct({ id: workshopItem.id })
      .from(workshopItem)
      .innerJoin(autoLine, and(eq(autoLine.workshopId, workshopId), isNull(autoLine.deletedAt), named))
      .where(isNotNull(workshopItem.deletedAt))
    return rows.map(({ id }) => id)
  })
}

/**
 * Writes one line. Version 0 makes it; the same again is the same line. Refuses with conflict when somebody changed it
 * since `version` (the line as it is now in `data`), with unprocessable when a script is full, and with forbidden,
 * plan_inactive, not_found.
 */
export function saveLine(actor: Actor, input: SaveLine): Promise<{ version: number }> {
  const { workshopId, lineId, version, offsetMs, position, content } = SaveLine.parse(input)
  const facts = { offsetMs, position, type: content.type, track: TRACK_OF[content.type], payload: content.payload }
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const saved = version === 0 ? await addLine(tx, actor, workshopId, lineId, facts) : await change()
    if (!saved) return unlessSame(tx, workshopId, lineId, facts)
    if (facts.track === 'slides' || facts.track === 'handouts') await noteFiles(tx, actor, workshopId)
    return saved

    async function change() {
      const [changed] = await tx
        .update(autoLine)
        .set({ ...facts, ...raised() })
        .where(and(mine(workshopId, [lineId]), eq(autoLine.version, version), isNull(autoLine.deletedAt)))
        .returning({ version: autoLine.version })
      return changed
    }
  })
}

/** What became of some lines: their new versions, and those that somebody else had changed and that stay as they are. */
export interface LinesOutcome {
  changed: { lineId: string; version: number; offsetMs: number }[]
  conflicts: string[]
}

/** Takes lines out of a script; they can be brought back. Refuses with forbidden, plan_inactive, not_found. */
export const deleteLines = (actor: Actor, input: SomeLines): Promise<LinesOutcome> =>
  changeLines(actor, SomeLines.parse(input), { deletedAt: new Date() }, false)

/** Brings lines back. Refuses as deleteLines. */
export const restoreLines = (actor: Actor, input: SomeLines): Promise<LinesOutcome> =>
  changeLines(actor, SomeLines.parse(input), { deletedAt: null }, true)

/** Moves lines together, none of them before the beginning. Refuses as deleteLines. */
export function shiftLines(actor: Actor, input: ShiftLines): Promise<LinesOutcome> {
  const { byMs, ...some } = ShiftLines.parse(input)
  const moved = sql<number>`least(greatest(${autoLine.offsetMs} + ${byMs}, 0), ${LONGEST_MS})`
  return changeLines(actor, some, { offsetMs: moved }, false)
}

interface Facts {
  offsetMs: number
  position: number
  type: Line['type']
  track: Line['track']
  payload: object
}

const raised = () => ({ version: sql`${autoLine.version} + 1`, updatedAt: new Date() })

const mine = (workshopId: string, ids: readonly string[]) =>
  and(eq(autoLine.workshopId, workshopId), inArray(autoLine.id, [...ids]))

async function addLine(tx: Tx, { tenantId }: Actor, workshopId: string, id: string, facts: Facts) {
  await beginPlan(tx, tenantId, workshopId, {})
  if ((await tx.$count(autoLine, and(eq(autoLine.workshopId, workshopId), isNull(autoLine.deletedAt)))) >= MOST_LINES) {
    throw new Refusal('unprocessable', { fields: { form: ['script_full'] } })
  }
  const [made] = await tx
    .insert(autoLine)
    .values({ tenantId, workshopId, id, ...facts })
    .onConflictDoNothing()
    .returning({ version: autoLine.version })
  return made
}

async function unlessSame(tx: Tx, workshopId: string, lineId: string, facts: Facts): Promise<{ version: number }> {
  const [now] = await tx
    .select({ ...fields, deletedAt: autoLine.deletedAt })
    .from(autoLine)
    .where(mine(workshopId, [lineId]))
  if (!now) throw new Refusal('not_found')
  const { offsetMs, position, type, track, payload, deletedAt, version } = now
  if (!deletedAt && ordered({ offsetMs, position, type, track, payload }) === ordered(facts)) return { version }
  throw new Refusal('conflict', { data: { ...now, deletedAt: deletedAt?.toISOString() ?? null } })
}

function changeLines(
  actor: Actor,
  { workshopId, lines }: { workshopId: string; lines: { lineId: string; version: number }[] },
  set: Record<string, unknown>,
  deleted: boolean,
): Promise<LinesOutcome> {
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, workshopId)
    const asked = sql`(select l."lineId" as id, l.version from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as l("lineId" uuid, version integer)) as asked`
    const changed = await tx
      .update(autoLine)
      .set({ ...set, ...raised() })
      .from(asked)
      .where(
        and(
          eq(autoLine.workshopId, workshopId),
          sql`${autoLine.id} = asked.id and ${autoLine.version} = asked.version`,
          deleted ? isNotNull(autoLine.deletedAt) : isNull(autoLine.deletedAt),
        ),
      )
      .returning({ lineId: autoLine.id, version: autoLine.version, offsetMs: autoLine.offsetMs })
    const done = new Set(changed.map(({ lineId }) => lineId))
    if ('deletedAt' in set) await noteFiles(tx, actor, workshopId)
    return { changed, conflicts: lines.flatMap(({ lineId }) => (done.has(lineId) ? [] : [lineId])) }
  })
}

/** Takes out all lines of a script, e.g. before another one comes in its place. */
export async function removeAll(tx: Tx, workshopId: string): Promise<void> {
  await tx
    .update(autoLine)
    .set({ deletedAt: new Date(), ...raised() })
    .where(and(eq(autoLine.workshopId, workshopId), isNull(autoLine.deletedAt)))
}
