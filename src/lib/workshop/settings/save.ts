import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mergeChanges } from '#lib/core/shared/merge.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireFileOfType } from '#lib/storage/require-file.ts'
import { requireManagedWorkshop } from '../permission.ts'
import { readRegistrantCounts } from '../registrant-counts.ts'
import { type SaveSettings, type SaveWorkshop, SPLASHES, WorkshopSettings } from '../schema.ts'
import { workshop, workshopSession } from '../table.ts'
import { requireFittingFiles } from './file-check.ts'
import { recordEventFileUse } from './file-use.ts'

/**
 * Saves the main fields of an event. A new time of a published event moves its session and is announced by the
 * registration module. If the event was changed since `version`, only the differences from `base`, the fields that the
 * client had read, are saved. Refuses with forbidden, plan_inactive, not_found, wrong_type (a file); with conflict when
 * both changed the same field, or without `base`, the current fields in `data` (sending them again succeeds); with
 * unprocessable for a time that cannot be changed any more, and while there are registrants and `notify` is missing:
 * `data.people`, `data.was`.
 */
export function saveWorkshop(actor: Actor, input: SaveWorkshop): Promise<{ version: number }> {
  const { workshopId, version, base, notify, ...sent } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const before = await lockWorkshopRow(tx, workshopId)
    const isStale = version !== undefined && version !== before.version
    const facts = isStale ? mergeFacts(before, sent, base) : sent
    const next = { ...facts, startAt: facts.startAt ? new Date(facts.startAt) : null }
    if (isStale && hasSameFacts(before, next)) return { version: before.version }
    await requireFittingFiles(actor, facts)
    // Paid access is not available: it would admit nobody, or everybody.
    if (before.publication === 'published' && next.access === 'paid' && before.access !== 'paid')
      throw new Refusal('unprocessable', { fields: { access: ['workshop_needs_access'] } })
    const timeChanged = before.startAt?.getTime() !== next.startAt?.getTime() || before.timeZone !== next.timeZone
    const shouldAnnounce = timeChanged && before.publication === 'published' && !before.canceledAt
    if (shouldAnnounce) await requireMovable(tx, before, next.startAt, notify)
    const now = sql`${workshop.version} + 1`
    const schedule = timeChanged ? { scheduleVersion: sql`${workshop.scheduleVersion} + 1` } : {}
    const [saved] = await tx
      .update(workshop)
      .set({ ...next, ...schedule, version: now, updatedAt: new Date() })
      .where(eq(workshop.id, workshopId))
      .returning({ version: workshop.version })
    await syncSession(tx, workshopId, before.slidesFileId === next.slidesFileId ? null : 'slide')
    await recordEventFileUse(tx, actor, workshopId)
    if (shouldAnnounce) {
      const was = { startAt: before.startAt?.toISOString() ?? null, timeZone: before.timeZone }
      await enqueueJob('registration.rescheduled', {
        tenantId: actor.tenantId,
        workshopId,
        was,
        notify: notify ?? false,
      })
    }
    return { version: saved?.version ?? before.version + 1 }
  })
}

/**
 * Saves the given parts of an event's settings, each as a whole; if the event was changed since `version`, only the
 * differences from `base`. Refuses with forbidden, plan_inactive, not_found (a file too), wrong_type, and conflict when
 * both changed the same part, or without `base`.
 */
export function saveSettings(actor: Actor, input: SaveSettings): Promise<{ version: number }> {
  const { workshopId, version, base, settings: sent } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const before = await lockWorkshopRow(tx, workshopId)
    const isStale = version !== undefined && version !== before.version
    const change = isStale ? mergeSettings(before, sent, base) : sent
    const pictures = [
      ...SPLASHES.map((splash) => change.splash?.[splash].fileId),
      ...(change.guests ?? []).map(({ fileId }) => fileId),
    ]
    for (const id of pictures) if (id) await requireFileOfType(actor, 'fileId', id, ({ kind }) => kind === 'image')
    const settings = parseStored(WorkshopSettings, { ...before.settings, ...change })
    const [saved] = await tx
      .update(workshop)
      .set({ settings, version: sql`${workshop.version} + 1`, updatedAt: new Date() })
      .where(eq(workshop.id, workshopId))
      .returning({ version: workshop.version })
    if (change.chat) await syncSession(tx, workshopId, 'chat')
    await recordEventFileUse(tx, actor, workshopId)
    return { version: saved?.version ?? before.version + 1 }
  })
}

/** Reads and locks the row until the end of the transaction. Refuses with not_found. */
export async function lockWorkshopRow(tx: Tx, workshopId: string) {
  const [row] = await tx
    .select()
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
    .for('update')
  if (!row) throw new Refusal('not_found')
  return row
}
type Row = Awaited<ReturnType<typeof lockWorkshopRow>>

/** The session of a webinar or a masterclass, if it has one. */
export async function findMainSession(tx: Tx, workshopId: string) {
  const { id, startedAt, finishedAt } = workshopSession
  const [row] = await tx.select({ id, startedAt, finishedAt }).from(workshopSession).where(isMainSession(workshopId))
  return row ?? null
}

type Facts = Pick<
  Row,
  | 'title'
  | 'description'
  | 'coverFileId'
  | 'language'
  | 'startAt'
  | 'timeZone'
  | 'plannedMinutes'
  | 'access'
  | 'source'
  | 'slidesFileId'
>

type SentFacts = Omit<Facts, 'startAt'> & { startAt: string | null }

function mergeFacts(before: Row, sent: SentFacts, base: SentFacts | undefined): SentFacts {
  const { version: _, startAt, ...now } = factsOf(before)
  const current = { ...now, startAt: startAt?.toISOString() ?? null }
  const { merged, conflicts } = mergeChanges(current, base ?? {}, sent)
  if (conflicts.length > 0) throw versionConflict(before, base ? conflicts : [])
  return merged
}

function mergeSettings(before: Row, sent: SettingsPatch, base: SettingsPatch | undefined): SettingsPatch {
  const { merged, conflicts } = mergeChanges<SettingsPatch>(before.settings, base ?? {}, sent)
  if (!base || conflicts.length > 0) throw versionConflict(before, conflicts)
  return merged
}
type SettingsPatch = ReturnType<typeof SaveSettings.parse>['settings']

const versionConflict = (before: Row, fields: readonly string[]): Refusal =>
  new Refusal('conflict', {
    fields: {
      ...Object.fromEntries(fields.map((field) => [field, ['changed_meanwhile']])),
      form: ['workshop_version_conflict'],
    },
    data: factsOf(before),
  })

function hasSameFacts(before: Row, next: Facts): boolean {
  return JSON.stringify(factsOf({ ...before, ...next })) === JSON.stringify(factsOf(before))
}

function factsOf(row: Facts & { version: number }) {
  const { version, title, description, coverFileId, language, startAt, timeZone } = row
  const { plannedMinutes, access, source, slidesFileId } = row
  return {
    version,
    title,
    description,
    coverFileId,
    language,
    startAt,
    timeZone,
    plannedMinutes,
    access,
    source,
    slidesFileId,
  }
}

async function requireMovable(tx: Tx, before: Row, startAt: Date | null, notify: boolean | undefined): Promise<void> {
  const session = await findMainSession(tx, before.id)
  if (before.type === 'webinar') {
    if (session?.startedAt) throw new Refusal('unprocessable', { fields: { startAt: ['workshop_started'] } })
    if (!startAt) throw new Refusal('unprocessable', { fields: { startAt: ['required'] } })
    if (startAt <= new Date()) throw new Refusal('unprocessable', { fields: { startAt: ['workshop_start_past'] } })
  }
  const { confirmed } = await readRegistrantCounts(tx, before.id)
  if (confirmed === 0 || notify !== undefined) return
  throw new Refusal('unprocessable', {
    fields: { notify: ['workshop_ask_notify'] },
    variables: { count: confirmed },
    data: { people: confirmed, was: { startAt: before.startAt, timeZone: before.timeZone } },
  })
}

/** Copies the event's time, slides and chat settings to its session until that has started. */
async function syncSession(tx: Tx, workshopId: string, part: 'slide' | 'chat' | null): Promise<void> {
  const changedValue = (expression: SQL) =>
    sql`(select ${expression} from workshop w where w.tenant_id = current_tenant() and w.id = ${workshopId})`
  // Like `initialRoomState`: readers of the log start from this state.
  const slide = sql`jsonb_build_object('slide', jsonb_build_object('fileId', w.slides_file_id, 'page', 1),
    'mode', case when w.slides_file_id is null then 'broadcast' else 'presentationAndBroadcast' end)`
  const chat = sql`jsonb_build_object('chat', w.settings->'chat')`
  const state = part ? { state: sql`${workshopSession.state} || ${changedValue(part === 'slide' ? slide : chat)}` } : {}
  await tx
    .update(workshopSession)
    .set({ ...state, startAt: changedValue(sql`start_at`), plannedMinutes: changedValue(sql`planned_minutes`) })
    .where(and(isMainSession(workshopId), isNull(workshopSession.startedAt)))
}

function isMainSession(workshopId: string) {
  return and(eq(workshopSession.workshopId, workshopId), inArray(workshopSession.kind, ['live', 'onDemand']))
}
