import { and, asc, desc, eq, gt, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { hideEventAnswers, hidePollAnswers } from '#lib/workshop/session/quiz-rules.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { advanceSessionLog } from './advance.ts'
import type { AutoVideoSource, AutoView } from './auto-view-schema.ts'
import { type AutoPlan, readPlan } from './plan.ts'
import { foldRoomAt, type PlaybackClock, playbackPhase, playbackPosition, toRoomEvent } from './playback-rules.ts'
import { MAX_OFFSET_MS, type ScriptEntry } from './schema.ts'
import { autoClock, autoScriptEntry } from './table.ts'

export interface AutoSession {
  tenantId: string
  id: string
  workshopId: string
  startAt: Date | null
  state: RoomState
}

export interface AutoViewer {
  personId: string | null
  /** Digest of the login session; without it the URLs are valid for anyone. */
  loginDigest?: string
}

/** How far ahead in the video the script is sent. */
const LOOKAHEAD_MS = 600_000
const MAX_PAST_MESSAGES = 50
const MAX_NEXT_EVENTS = 2000
const NOTHING_NEXT = { entries: [], untilMs: MAX_OFFSET_MS }

/**
 * An auto-webinar session as a viewer sees it; null without a plan or a video. Starts and finishes the session in its
 * log when due. The caller has checked the viewer's access.
 */
export async function buildAutoView(
  tx: Tx,
  session: AutoSession,
  viewer: AutoViewer,
  now: Date,
): Promise<AutoView | null> {
  const plan = await readPlan(tx, session.workshopId)
  if (!plan || plan.lengthMs === 0 || !session.startAt) return null
  const base = (await advanceSessionLog(tx, session, plan, now)) ?? session.state
  const clock = await readClock(tx, session, viewer.personId)
  const positionMs = playbackPosition(clock, now.getTime())
  const scriptMs = Math.min(Math.max(positionMs, 0), plan.lengthMs)
  // A session that has not started because of its video shows nothing of its script.
  const isHeld = plan.videoProblem !== null && base.phase === 'waiting' && positionMs >= 0
  const next = isHeld ? NOTHING_NEXT : await readNextEntries(tx, plan, scriptMs, positionMs < 0)
  const { lengthMs, videoOffsetMs, disclosure, mayPause, mayRestart } = plan
  const entries = await readStateEntries(tx, plan)
  const shown = foldRoomAt(
    removeScriptItems(base, plan, entries),
    positionMs < 0 || isHeld ? [] : entries,
    scriptMs,
    clock.startAt,
  )
  return {
    video: await openVideo(session.tenantId, plan, viewer),
    videoProblem: plan.videoProblem,
    videoOffsetMs,
    lengthMs,
    startAt: clock.startAt,
    serverNow: now.getTime(),
    positionMs,
    pausedAtMs: clock.pausedAtMs,
    phase: playbackPhase(positionMs, lengthMs),
    state: hidePollAnswers(shown),
    pastMessages:
      positionMs < 0 || isHeld
        ? []
        : (await readPastMessages(tx, plan, scriptMs)).map((entry) => toRoomEvent(entry, clock.startAt)),
    nextEvents: next.entries.map((entry) => hidePollResult(toRoomEvent(entry, clock.startAt))),
    nextUntilMs: next.untilMs,
    disclosure,
    mayPause,
    mayRestart,
    watchedBefore: disclosure.counters ? plan.watchedBefore : null,
  }
}

/**
 * Controls the clock of one viewer: restart, pause or resume. Idempotent. Refuses with forbidden where the plan does
 * not allow it, and not_found for an unknown session.
 */
export async function controlClock(
  tx: Tx,
  session: Pick<AutoSession, 'tenantId' | 'id'>,
  personId: string,
  action: 'restart' | 'pause' | 'resume',
  now: Date,
): Promise<void> {
  const [eventSession] = await tx
    .select({ workshopId: workshopSession.workshopId, startAt: workshopSession.startAt, kind: workshopSession.kind })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
  const plan = eventSession?.kind === 'auto' ? await readPlan(tx, eventSession.workshopId) : null
  if (!eventSession?.startAt || !plan || eventSession.startAt > now) throw new Refusal('not_found')
  const allowed = action === 'restart' ? plan.mayRestart : plan.mayPause
  if (!allowed) throw new Refusal('forbidden', { data: { reason: `may_not_${action}` } })
  const clock = await readClock(tx, { id: session.id, startAt: eventSession.startAt }, personId)
  const newClock = applyClockAction(clock, action, now.getTime())
  if (!newClock) return
  const row = { startAt: new Date(newClock.startAt), pausedAtMs: newClock.pausedAtMs, updatedAt: now }
  await tx
    .insert(autoClock)
    .values({ tenantId: session.tenantId, sessionId: session.id, personId, ...row })
    .onConflictDoUpdate({ target: [autoClock.tenantId, autoClock.personId], set: row })
}

/** Item of a session's script by id, also one that is not shown yet or no longer. */
export async function findScriptItem(
  tx: Tx,
  sessionId: string,
  id: string,
): Promise<{ kind: 'button' | 'poll' | 'handout'; content: object } | null> {
  const [row] = await tx
    .select({ type: autoScriptEntry.type, payload: autoScriptEntry.payload })
    .from(autoScriptEntry)
    .innerJoin(workshopSession, eq(workshopSession.workshopId, autoScriptEntry.workshopId))
    .where(
      and(
        eq(workshopSession.id, sessionId),
        eq(workshopSession.kind, 'auto'),
        inArray(autoScriptEntry.type, ['button.show', 'poll.open', 'handout.show']),
        or(
          sql`${autoScriptEntry.payload}->>'buttonId' = ${id}`,
          sql`${autoScriptEntry.payload}->>'pollId' = ${id}`,
          sql`${autoScriptEntry.payload}->>'handoutId' = ${id}`,
        ),
        isNull(autoScriptEntry.deletedAt),
      ),
    )
    .limit(1)
  if (!row || !('content' in row.payload)) return null
  const content = Object(row.payload.content)
  const kind = row.type === 'button.show' ? 'button' : row.type === 'poll.open' ? 'poll' : 'handout'
  return { kind, content }
}

function applyClockAction(
  { startAt, pausedAtMs }: PlaybackClock,
  action: 'restart' | 'pause' | 'resume',
  now: number,
): PlaybackClock | null {
  if (action === 'restart') return { startAt: now, pausedAtMs: null }
  if (action === 'pause') return pausedAtMs === null ? { startAt, pausedAtMs: now - startAt } : null
  return pausedAtMs === null ? null : { startAt: now - pausedAtMs, pausedAtMs: null }
}

async function readClock(
  tx: Tx,
  session: { id: string; startAt: Date | null },
  personId: string | null,
): Promise<PlaybackClock> {
  const sessionClock = { startAt: session.startAt?.getTime() ?? 0, pausedAtMs: null }
  if (!personId) return sessionClock
  const [row] = await tx
    .select({ startAt: autoClock.startAt, pausedAtMs: autoClock.pausedAtMs })
    .from(autoClock)
    .where(and(eq(autoClock.personId, personId), eq(autoClock.sessionId, session.id)))
  return row ? { startAt: row.startAt.getTime(), pausedAtMs: row.pausedAtMs } : sessionClock
}

async function openVideo(
  tenantId: string,
  plan: AutoPlan,
  { loginDigest: viewer = ANYONE }: AutoViewer,
): Promise<AutoVideoSource | null> {
  if (!plan.videoFileId || plan.videoProblem) return null
  // No playback position is saved: the clock determines it.
  const watcher = { tenantId, viewer, membershipId: NO_MEMBER_ID, roles: [] }
  const { hls, sources, poster, captions, expiresIn } = await openPlayback(watcher, plan.videoFileId)
  return { hls, sources, poster, captions, expiresIn }
}

// The page contains coming events in advance, so quiz answers are sent when the poll is closed.
function hidePollResult(event: RoomEvent): RoomEvent {
  if (event.type !== 'poll.close') return hideEventAnswers(event)
  const { pollId, tally, voters } = event.payload
  return { ...event, payload: { pollId, tally, voters } }
}

const NO_MEMBER_ID = '00000000-0000-0000-0000-000000000000'
const CHAT_TYPES: ScriptEntry['type'][] = ['message', 'question', 'answer']

const lineFields = {
  id: autoScriptEntry.id,
  offsetMs: autoScriptEntry.offsetMs,
  position: autoScriptEntry.position,
  version: autoScriptEntry.version,
  track: autoScriptEntry.track,
  type: autoScriptEntry.type,
  payload: autoScriptEntry.payload,
}

const isActiveEntry = ({ workshopId, mutedTracks }: AutoPlan) =>
  and(
    eq(autoScriptEntry.workshopId, workshopId),
    isNull(autoScriptEntry.deletedAt),
    mutedTracks.length > 0 ? notInArray(autoScriptEntry.track, mutedTracks) : undefined,
  )

/** Entries that determine the room state: few, while a script may have thousands of messages. */
async function readStateEntries(tx: Tx, plan: AutoPlan): Promise<ScriptEntry[]> {
  const rows = await tx
    .select(lineFields)
    .from(autoScriptEntry)
    .where(and(isActiveEntry(plan), notInArray(autoScriptEntry.type, ['message', 'question'])))
    .orderBy(asc(autoScriptEntry.offsetMs), asc(autoScriptEntry.position), asc(autoScriptEntry.id))
  return rows as ScriptEntry[]
}

// The log's state has the script applied by the session's clock; a viewer may have another clock.
function removeScriptItems(base: RoomState, { slidesFileId }: AutoPlan, entries: readonly ScriptEntry[]): RoomState {
  const scriptIds = new Set(entries.flatMap(({ payload }) => Object.values(payload)))
  const { mode, slide } = initialRoomState(base.chat, slidesFileId)
  return {
    ...base,
    mode,
    slide,
    buttons: base.buttons.filter(({ buttonId }) => !scriptIds.has(buttonId)),
    handouts: base.handouts.filter(({ handoutId }) => !scriptIds.has(handoutId)),
    poll: base.poll && scriptIds.has(base.poll.pollId) ? null : base.poll,
  }
}

async function readPastMessages(tx: Tx, plan: AutoPlan, untilMs: number): Promise<ScriptEntry[]> {
  const rows = await tx
    .select(lineFields)
    .from(autoScriptEntry)
    .where(and(isActiveEntry(plan), inArray(autoScriptEntry.type, CHAT_TYPES), lte(autoScriptEntry.offsetMs, untilMs)))
    .orderBy(desc(autoScriptEntry.offsetMs), desc(autoScriptEntry.position), desc(autoScriptEntry.id))
    .limit(MAX_PAST_MESSAGES)
  return (rows as ScriptEntry[]).reverse()
}

async function readNextEntries(tx: Tx, plan: AutoPlan, fromMs: number, includeStart: boolean) {
  const untilMs = Math.min(fromMs + LOOKAHEAD_MS, plan.lengthMs)
  const after = includeStart ? sql`${autoScriptEntry.offsetMs} >= 0` : gt(autoScriptEntry.offsetMs, fromMs)
  const rows = await tx
    .select(lineFields)
    .from(autoScriptEntry)
    .where(and(isActiveEntry(plan), after, lte(autoScriptEntry.offsetMs, untilMs)))
    .orderBy(asc(autoScriptEntry.offsetMs), asc(autoScriptEntry.position), asc(autoScriptEntry.id))
    .limit(MAX_NEXT_EVENTS)
  const entries = rows as ScriptEntry[]
  const last = entries.at(-1)
  if (entries.length < MAX_NEXT_EVENTS || !last) return { entries, untilMs }
  // Entries with the same offset are sent together.
  const complete = entries.filter(({ offsetMs }) => offsetMs < last.offsetMs)
  return { entries: complete, untilMs: last.offsetMs - 1 }
}
