import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { buildAutoView } from '#lib/autowebinar/auto-view.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newestLiveEventId } from '#lib/core/live/live.ts'
import { EVENT_TYPES, type RoomRole } from '#lib/core/shared/event/live-event.ts'
import { findDocumentAddress } from '#lib/workshop/document.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { hideEventAnswers, hidePollAnswers } from '#lib/workshop/session/quiz-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { readItems } from '#lib/workshop/settings/item.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { countButtons, readClicksByButton } from './activity.ts'
import { onlineCountQuery } from './admission/presence.ts'
import { countWaitingQueue, viewerLimit } from './admission/queue.ts'
import { type RoomParticipant, requireSeat, signSeatToken } from './admission/seat.ts'
import { listRecentMessages } from './chat/read.ts'
import { type EventRow, readMeetingSummary, readSeatEvent } from './meeting-summary.ts'
import { findMentoringRoom } from './mentoring/room-view.ts'
import { countPollVotes, readOwnVotes } from './poll.ts'
import { UNPUBLISHED_TYPES } from './room-rules.ts'
import type { ListEvents, MeetingSummary, PollTally, PreparedItems, RoomPerson, RoomView, Seat } from './room-schema.ts'
import { readStagePlace } from './stage/log.ts'
import { buildMediaView } from './stage/media.ts'
import { canGetSlides } from './stage/media-rules.ts'
import type { StagePlace } from './stage/rules.ts'

/** Everything a browser needs to render a room. Refuses with unauthorized, forbidden. */
export async function getRoom({ seatToken }: Seat): Promise<RoomView> {
  const participant = await requireSeat(seatToken)
  return inTenant(participant, async (tx) =>
    buildRoomView(tx, participant, await readSeatEvent(tx, participant.workshopId)),
  )
}

export interface RoomViewOptions {
  /** Digest of the login session. */
  loginDigest?: string | undefined
  /** Summary that was read for the entry page. */
  summary?: MeetingSummary
}

/** Room view of a participant with a seat. */
export async function buildRoomView(
  tx: Tx,
  participant: RoomParticipant,
  event: EventRow,
  options: RoomViewOptions = {},
): Promise<RoomView> {
  const { tenantId, sessionId, personId, role } = participant
  const now = new Date()
  const { kind, startAt } = participant.session
  const viewerRef = { personId, ...(options.loginDigest === undefined ? {} : { loginDigest: options.loginDigest }) }
  const sessionRef = { tenantId, id: sessionId, workshopId: event.id, startAt, state: participant.session.state }
  const auto = kind === 'auto' ? await buildAutoView(tx, sessionRef, viewerRef, now) : null
  const { state, nextSeq, liveId, online } = await readRoomSnapshot(tx, sessionId)
  const isStaff = hasRight(role, 'moderate')
  const slides = auto?.state.slide.fileId ?? state.slide.fileId
  const stagePlace = await readStagePlace(tx, sessionId, personId)
  const isOnStage = stagePlace === 'on'
  const chat = await listRecentMessages(tx, { sessionId, personId, isStaff })
  const mentoring = event.deletedAt ? await findMentoringRoom(tx, participant) : null
  const mayGetSlides = canGetSlides({ role, isOnStage, isBarred: false }, (auto?.state ?? state).phase).allow
  return {
    seatToken: signSeatToken(participant, now),
    me: toRoomPerson(participant, stagePlace),
    workshop: options.summary ?? (await readMeetingSummary(tx, event, startAt)),
    sessionId,
    kind,
    lastSeq: nextSeq - 1,
    liveId,
    serverNow: now.getTime(),
    state: isStaff ? state : hidePollSecrets(state),
    online,
    messages: chat.messages,
    olderMessages: chat.next,
    media: buildMediaView(participant, { role, isOnStage }, state.phase),
    slides: mayGetSlides ? await findDocumentAddress(tx, tenantId, slides) : null,
    tally: await readTally(tx, sessionId, state, isStaff),
    votes: await readOwnVotes(tx, sessionId, personId),
    clicksByButton: await readClicksByButton(tx, sessionId),
    items: isStaff ? await readPreparedItems(tx, event.id) : null,
    staff: isStaff
      ? {
          waiting: await countWaitingQueue(tx, sessionId, now),
          limit: await viewerLimit(tx, now),
          buttons: await countButtons(tx, sessionId),
        }
      : null,
    auto,
    mentoring: mentoring && { memberId: mentoring.memberId, consent: mentoring.consent },
    ...(mentoring ? { exitPath: mentoring.path } : {}),
  }
}

const EVENT_PAGE_SIZE = 1000
const PUBLISHED_TYPES = EVENT_TYPES.filter((type) => !UNPUBLISHED_TYPES.has(type))

/** Log entries after a sequence number, as far as the participant may see them. Refuses like getRoom. */
export async function listEvents({ seatToken, after }: z.infer<typeof ListEvents>): Promise<{
  events: RoomEvent[]
  more: boolean
  /** Current role of the participant: the announcement of its change may be among the missed events. */
  role: RoomRole
}> {
  const { tenantId, sessionId, personId, role } = await requireSeat(seatToken)
  const isStaff = hasRight(role, 'moderate')
  const reader = isStaff ? 'staff' : { personId }
  const events = await inTenant({ tenantId }, (tx) =>
    readEvents(tx, sessionId, { after, types: PUBLISHED_TYPES, limit: EVENT_PAGE_SIZE, reader }),
  )
  return { events: isStaff ? events : events.map(hideEventAnswers), more: events.length === EVENT_PAGE_SIZE, role }
}

interface RoomSnapshot {
  state: RoomState
  nextSeq: number
  liveId: number | null
  online: number
}

// One statement: the event stream is resumed exactly where this state was read.
async function readRoomSnapshot(tx: Tx, sessionId: string): Promise<RoomSnapshot> {
  const { state, nextSeq } = workshopSession
  const online = sql<number>`(${onlineCountQuery(tx, sessionId)})`.mapWith(Number)
  const [row] = await tx
    .select({ state, nextSeq, liveId: newestLiveEventId, online })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!row) throw new Error('the session of a participant is gone')
  return row
}

const toRoomPerson = ({ profile, role }: RoomParticipant, stage: StagePlace): RoomPerson => ({
  personId: profile.id,
  name: profile.name,
  role,
  kind: profile.kind,
  locale: profile.locale,
  mutedUntil: profile.mutedUntil?.getTime() ?? null,
  // Not disclosed to an isolated participant.
  isolated: false,
  stage,
})

// Votes of polls whose results are for staff, and the right answers of an open quiz, are hidden.
function hidePollSecrets(state: RoomState): RoomState {
  const shown = hidePollAnswers(state)
  const { poll } = shown
  return poll?.content.showResults === 'staff' ? { ...shown, poll: { ...poll, tally: [], voters: 0 } } : shown
}

async function readTally(tx: Tx, sessionId: string, { poll }: RoomState, isStaff: boolean): Promise<PollTally | null> {
  if (!poll) return null
  const { pollId, closed, tally, voters, content } = poll
  const open = content.showResults === 'always' || isStaff
  if (closed) return content.showResults === 'staff' && !isStaff ? null : { pollId, tally, voters }
  return open ? countPollVotes(tx, sessionId, poll) : { pollId, tally: [], voters: 0 }
}

async function readPreparedItems(tx: Tx, workshopId: string): Promise<PreparedItems> {
  const { button, poll, handout } = await readItems(tx, workshopId)
  return { buttons: button, polls: poll, handouts: handout }
}
