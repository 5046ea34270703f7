import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { playOf } from '#lib/autowebinar/play.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newestSaid } from '#lib/core/live/live.ts'
import { EVENT_TYPES, type RoomRole } from '#lib/core/shared/event/live-event.ts'
import { documentAddress } from '#lib/workshop/document.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { withoutAnswer, withoutAnswers } from '#lib/workshop/session/quiz-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { itemsOf } from '#lib/workshop/settings/item.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { onlineIn } from './admission/presence.ts'
import { countQueue, viewerLimit } from './admission/queue.ts'
import { mustSit, type Sitting, signSeat } from './admission/seat.ts'
import { listRecent } from './chat/read.ts'
import { headOf, loadWorkshop, type Workshop } from './head.ts'
import { countButtons, takenOf } from './note.ts'
import { countVotes, votesOf } from './poll.ts'
import { QUIET } from './room-rules.ts'
import type { ListEvents, MeetingHead, PreparedItems, RoomPerson, RoomView, Seat, Tally } from './room-schema.ts'
import { stagePlaceOf } from './stage/log.ts'
import { mediaFor } from './stage/media.ts'
import type { StagePlace } from './stage/rules.ts'

/** Everything that a device needs to show a room. Refuses with unauthorized, forbidden. */
export async function getRoom({ ticket }: Seat): Promise<RoomView> {
  const sitting = await mustSit(ticket)
  return inTenant(sitting, async (tx) => viewFor(tx, sitting, await loadWorkshop(tx, sitting.workshopId)))
}

export interface ViewMore {
  /** The digest of a signed-in person's session. */
  viewer?: string | undefined
  /** What the door has shown of the event. */
  head?: MeetingHead
}

/** The same for who sits there already. */
export async function viewFor(tx: Tx, sitting: Sitting, event: Workshop, more: ViewMore = {}): Promise<RoomView> {
  const { tenantId, sessionId, personId, role } = sitting
  const now = new Date()
  const { kind, startAt } = sitting.session
  const who = { personId, ...(more.viewer === undefined ? {} : { viewer: more.viewer }) }
  const shown = { tenantId, id: sessionId, workshopId: event.id, startAt, state: sitting.session.state }
  const auto = kind === 'auto' ? await playOf(tx, shown, who, now) : null
  const { state, nextSeq, liveId, online } = await readRoom(tx, sessionId)
  const staff = hasRight(role, 'moderate')
  const slides = auto?.state.slide.fileId ?? state.slide.fileId
  const place = await stagePlaceOf(tx, sessionId, personId)
  return {
    ticket: signSeat(sitting, now),
    me: personOf(sitting, place),
    workshop: more.head ?? (await headOf(tx, event, startAt)),
    sessionId,
    kind,
    lastSeq: nextSeq - 1,
    liveId,
    serverNow: now.getTime(),
    state: staff ? state : withoutSecrets(state),
    online,
    messages: await listRecent(tx, { sessionId, personId, staff }),
    media: mediaFor(sitting, { role, staged: place === 'on' }, state.phase),
    slides: await documentAddress(tx, tenantId, slides),
    tally: await tallyFor(tx, sessionId, state, staff),
    votes: await votesOf(tx, sessionId, personId),
    taken: await takenOf(tx, sessionId),
    items: staff ? await preparedOf(tx, event.id) : null,
    staff: staff
      ? {
          waiting: await countQueue(tx, sessionId, now),
          limit: await viewerLimit(tx, now),
          buttons: await countButtons(tx, sessionId),
        }
      : null,
    auto,
  }
}

const PAGE = 1000
const TOLD = EVENT_TYPES.filter((type) => !QUIET.has(type))

/** What happened in a room after a number of its log, as far as the ticket's holder may know. Refuses likewise. */
export async function listEvents({ ticket, after }: z.infer<typeof ListEvents>): Promise<{
  events: RoomEvent[]
  more: boolean
  /** The role of the ticket's holder by now: the word of its change may be among what was missed. */
  role: RoomRole
}> {
  const { tenantId, sessionId, personId, role } = await mustSit(ticket)
  const staff = hasRight(role, 'moderate')
  const reader = staff ? 'staff' : { personId }
  const events = await inTenant({ tenantId }, (tx) =>
    readEvents(tx, sessionId, { after, types: TOLD, most: PAGE, reader }),
  )
  return { events: staff ? events : events.map(withoutAnswer), more: events.length === PAGE, role }
}

/** Where the slides that are shown lie; null when there are none. Refuses likewise. */
export async function getSlides({ ticket }: Seat): Promise<{ address: string | null }> {
  const sitting = await mustSit(ticket)
  return inTenant(sitting, async (tx) => {
    const { state } = await readRoom(tx, sitting.sessionId)
    return { address: await documentAddress(tx, sitting.tenantId, state.slide.fileId) }
  })
}

interface RoomNow {
  state: RoomState
  nextSeq: number
  liveId: number | null
  online: number
}

// One statement: the stream is resumed exactly where this state was read.
async function readRoom(tx: Tx, sessionId: string): Promise<RoomNow> {
  const { state, nextSeq } = workshopSession
  const online = sql<number>`(${onlineIn(tx, sessionId)})`.mapWith(Number)
  const [found] = await tx
    .select({ state, nextSeq, liveId: newestSaid, online })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!found) throw new Error('the session of a participant is gone')
  return found
}

const personOf = ({ participant: one, role }: Sitting, stage: StagePlace): RoomPerson => ({
  personId: one.id,
  name: one.name,
  role,
  kind: one.kind,
  locale: one.locale,
  mutedUntil: one.mutedUntil?.getTime() ?? null,
  // Who is isolated does not know it.
  isolated: false,
  stage,
})

// The votes of some polls are the staff's alone, and what is right in a quiz until it is over.
function withoutSecrets(state: RoomState): RoomState {
  const shown = withoutAnswers(state)
  const { poll } = shown
  return poll?.content.showResults === 'staff' ? { ...shown, poll: { ...poll, tally: [], voters: 0 } } : shown
}

async function tallyFor(tx: Tx, sessionId: string, { poll }: RoomState, staff: boolean): Promise<Tally | null> {
  if (!poll) return null
  const { pollId, closed, tally, voters, content } = poll
  const open = content.showResults === 'always' || staff
  if (closed) return content.showResults === 'staff' && !staff ? null : { pollId, tally, voters }
  return open ? countVotes(tx, sessionId, poll) : { pollId, tally: [], voters: 0 }
}

async function preparedOf(tx: Tx, workshopId: string): Promise<PreparedItems> {
  const { button, poll, handout } = await itemsOf(tx, workshopId)
  return { buttons: button, polls: poll, handouts: handout }
}
