import { and, asc, desc, eq, gt, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { withoutAnswer, withoutAnswers } from '#lib/workshop/session/quiz-rules.ts'
import { emptyRoom } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type AutoPlan, planOf } from './plan.ts'
import { type Clock, eventOf, phaseOf, positionOf, roomAt } from './play-rules.ts'
import type { AutoFilm, AutoView } from './play-schema.ts'
import type { Line } from './schema.ts'
import { autoClock, autoLine } from './table.ts'
import { turnShowing } from './turn.ts'

export interface ShownSession {
  tenantId: string
  id: string
  workshopId: string
  startAt: Date | null
  state: RoomState
}

export interface Onlooker {
  personId: string | null
  /** The digest of a signed-in person's session; addresses open for anyone without it. */
  viewer?: string
}

/** The coming script is told so far ahead. */
const AHEAD_MS = 600_000
const PAST = 50
const MOST_NEXT = 2000

/**
 * A showing as it is for a person at a moment; null without a plan or a film. Begins and ends the session in its log
 * where that is due. Whoever calls has checked that the person may be there.
 */
export async function playOf(tx: Tx, session: ShownSession, who: Onlooker, now: Date): Promise<AutoView | null> {
  const plan = await planOf(tx, session.workshopId)
  if (!plan || plan.lengthMs === 0 || !session.startAt) return null
  const base = (await turnShowing(tx, session, plan, now)) ?? session.state
  const clock = await clockOf(tx, session, who.personId)
  const positionMs = positionOf(clock, now.getTime())
  const told = Math.min(Math.max(positionMs, 0), plan.lengthMs)
  const next = await coming(tx, plan, told, positionMs < 0)
  const { lengthMs, filmOffsetMs, honest, mayPause, mayRestart } = plan
  const lines = await standing(tx, plan)
  const shown = roomAt(withoutScript(base, plan, lines), positionMs < 0 ? [] : lines, told, clock.startAt)
  return {
    film: await filmOf(session.tenantId, plan, who),
    filmOffsetMs,
    lengthMs,
    startAt: clock.startAt,
    serverNow: now.getTime(),
    positionMs,
    pausedAtMs: clock.pausedAtMs,
    phase: phaseOf(positionMs, lengthMs),
    state: withoutAnswers(shown),
    past: positionMs < 0 ? [] : (await said(tx, plan, told)).map((line) => eventOf(line, clock.startAt)),
    next: next.lines.map((line) => untold(eventOf(line, clock.startAt))),
    nextUntilMs: next.untilMs,
    honest,
    mayPause,
    mayRestart,
    watchedBefore: honest.counters ? plan.watchedBefore : null,
  }
}

/**
 * Sets the clock of one person: from the start, or stopped and on again from there. Doing what is done already changes
 * nothing. Refuses with forbidden where the plan does not allow it, with not_found for no showing.
 */
export async function clockFilm(
  tx: Tx,
  session: Pick<ShownSession, 'tenantId' | 'id'>,
  personId: string,
  what: 'restart' | 'pause' | 'resume',
  now: Date,
): Promise<void> {
  const [of] = await tx
    .select({ workshopId: workshopSession.workshopId, startAt: workshopSession.startAt, kind: workshopSession.kind })
    .from(workshopSession)
    .where(eq(workshopSession.id, session.id))
  const plan = of?.kind === 'auto' ? await planOf(tx, of.workshopId) : null
  if (!of?.startAt || !plan || of.startAt > now) throw new Refusal('not_found')
  const allowed = what === 'restart' ? plan.mayRestart : plan.mayPause
  if (!allowed) throw new Refusal('forbidden', { data: { because: `may_not_${what}` } })
  const clock = await clockOf(tx, { id: session.id, startAt: of.startAt }, personId)
  const set = turned(clock, what, now.getTime())
  if (!set) return
  const row = { startAt: new Date(set.startAt), pausedAtMs: set.pausedAtMs, updatedAt: now }
  await tx
    .insert(autoClock)
    .values({ tenantId: session.tenantId, sessionId: session.id, personId, ...row })
    .onConflictDoUpdate({ target: [autoClock.tenantId, autoClock.personId], set: row })
}

/** What of its script a showing has under an id: also what is not shown yet, or any more. */
export async function scriptHas(
  tx: Tx,
  sessionId: string,
  id: string,
): Promise<{ kind: 'button' | 'poll' | 'handout'; content: object } | null> {
  const [found] = await tx
    .select({ type: autoLine.type, payload: autoLine.payload })
    .from(autoLine)
    .innerJoin(workshopSession, eq(workshopSession.workshopId, autoLine.workshopId))
    .where(
      and(
        eq(workshopSession.id, sessionId),
        eq(workshopSession.kind, 'auto'),
        inArray(autoLine.type, ['button.show', 'poll.open', 'handout.show']),
        or(
          sql`${autoLine.payload}->>'buttonId' = ${id}`,
          sql`${autoLine.payload}->>'pollId' = ${id}`,
          sql`${autoLine.payload}->>'handoutId' = ${id}`,
        ),
        isNull(autoLine.deletedAt),
      ),
    )
    .limit(1)
  if (!found || !('content' in found.payload)) return null
  const content = Object(found.payload.content)
  const kind = found.type === 'button.show' ? 'button' : found.type === 'poll.open' ? 'poll' : 'handout'
  return { kind, content }
}

function turned({ startAt, pausedAtMs }: Clock, what: 'restart' | 'pause' | 'resume', now: number): Clock | null {
  if (what === 'restart') return { startAt: now, pausedAtMs: null }
  if (what === 'pause') return pausedAtMs === null ? { startAt, pausedAtMs: now - startAt } : null
  return pausedAtMs === null ? null : { startAt: now - pausedAtMs, pausedAtMs: null }
}

async function clockOf(tx: Tx, session: { id: string; startAt: Date | null }, personId: string | null): Promise<Clock> {
  const own = { startAt: session.startAt?.getTime() ?? 0, pausedAtMs: null }
  if (!personId) return own
  const [found] = await tx
    .select({ startAt: autoClock.startAt, pausedAtMs: autoClock.pausedAtMs })
    .from(autoClock)
    .where(and(eq(autoClock.personId, personId), eq(autoClock.sessionId, session.id)))
  return found ? { startAt: found.startAt.getTime(), pausedAtMs: found.pausedAtMs } : own
}

async function filmOf(tenantId: string, plan: AutoPlan, { viewer = ANYONE }: Onlooker): Promise<AutoFilm | null> {
  if (!plan.filmFileId) return null
  // Nobody's place in the film is kept: the clock says where it is.
  const watcher = { tenantId, viewer, membershipId: NOBODY, roles: [] }
  const { hls, sources, poster, captions, expiresIn } = await openPlayback(watcher, plan.filmFileId)
  return { hls, sources, poster, captions, expiresIn }
}

// What comes lies open in the page before it happens: answers are read anew once their quiz is over.
function untold(event: RoomEvent): RoomEvent {
  if (event.type !== 'poll.close') return withoutAnswer(event)
  const { pollId, tally, voters } = event.payload
  return { ...event, payload: { pollId, tally, voters } }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const CHAT: Line['type'][] = ['message', 'question', 'answer']

const lineFields = {
  id: autoLine.id,
  offsetMs: autoLine.offsetMs,
  position: autoLine.position,
  version: autoLine.version,
  track: autoLine.track,
  type: autoLine.type,
  payload: autoLine.payload,
}

const living = ({ workshopId, mutedTracks }: AutoPlan) =>
  and(
    eq(autoLine.workshopId, workshopId),
    isNull(autoLine.deletedAt),
    mutedTracks.length > 0 ? notInArray(autoLine.track, mutedTracks) : undefined,
  )

/** What the room is made of: a script may have thousands of messages, and few lines beside them. */
async function standing(tx: Tx, plan: AutoPlan): Promise<Line[]> {
  const rows = await tx
    .select(lineFields)
    .from(autoLine)
    .where(and(living(plan), notInArray(autoLine.type, ['message', 'question'])))
    .orderBy(asc(autoLine.offsetMs), asc(autoLine.position), asc(autoLine.id))
  return rows as Line[]
}

// The log's state knows what the script has shown by the showing's own clock; a person may have another one.
function withoutScript(base: RoomState, { slidesFileId }: AutoPlan, lines: readonly Line[]): RoomState {
  const own = new Set(lines.flatMap(({ payload }) => Object.values(payload)))
  const { mode, slide } = emptyRoom(base.chat, slidesFileId)
  return {
    ...base,
    mode,
    slide,
    buttons: base.buttons.filter(({ buttonId }) => !own.has(buttonId)),
    handouts: base.handouts.filter(({ handoutId }) => !own.has(handoutId)),
    poll: base.poll && own.has(base.poll.pollId) ? null : base.poll,
  }
}

async function said(tx: Tx, plan: AutoPlan, untilMs: number): Promise<Line[]> {
  const rows = await tx
    .select(lineFields)
    .from(autoLine)
    .where(and(living(plan), inArray(autoLine.type, CHAT), lte(autoLine.offsetMs, untilMs)))
    .orderBy(desc(autoLine.offsetMs), desc(autoLine.position), desc(autoLine.id))
    .limit(PAST)
  return (rows as Line[]).reverse()
}

async function coming(tx: Tx, plan: AutoPlan, fromMs: number, whole: boolean) {
  const untilMs = Math.min(fromMs + AHEAD_MS, plan.lengthMs)
  const after = whole ? sql`${autoLine.offsetMs} >= 0` : gt(autoLine.offsetMs, fromMs)
  const rows = await tx
    .select(lineFields)
    .from(autoLine)
    .where(and(living(plan), after, lte(autoLine.offsetMs, untilMs)))
    .orderBy(asc(autoLine.offsetMs), asc(autoLine.position), asc(autoLine.id))
    .limit(MOST_NEXT)
  const lines = rows as Line[]
  const last = lines.at(-1)
  if (lines.length < MOST_NEXT || !last) return { lines, untilMs }
  // A moment is told as a whole or not at all.
  const cut = lines.filter(({ offsetMs }) => offsetMs < last.offsetMs)
  return { lines: cut, untilMs: last.offsetMs - 1 }
}
