import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { advanceAutoSession } from '#lib/autowebinar/advance.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { NewEvent, PollContent } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { requireSeat } from './admission/seat.ts'
import { appendInBatch, type BatchCheck, type BatchEntry } from './batch.ts'
import { scheduleOnce } from './delayed.ts'
import type { EventSessionRef } from './publish-events.ts'
import { roomChannel, staffChannel } from './room-rules.ts'
import type { PollTally, Vote } from './room-schema.ts'
import { meetingVote } from './table.ts'

/**
 * Votes in the open poll; the first vote of a participant counts. Resolves when it is counted. Refuses with
 * unauthorized, forbidden, not_found (another poll or none), conflict (closed), invalid (no such choice).
 */
export async function votePoll({ seatToken, pollId, choices, clientId }: z.infer<typeof Vote>): Promise<void> {
  const participant = await requireSeat(seatToken)
  const { tenantId, sessionId, personId } = participant
  await appendInBatch(
    { tenantId, id: sessionId },
    { type: 'poll.vote', payload: { pollId, choices }, actorId: personId, clientId, audience: 'staff' },
    checkVotes,
  )
  scheduleOnce(`tally ${sessionId}`, TALLY_DELAY_MS, () => publishTally(participant))
}

const checkVotes: BatchCheck = async (tx, { tenantId, id }, entries) => {
  let poll = await readOpenPoll(tx, id)
  if (entries.some(({ event }) => event.type === 'poll.vote' && event.payload.pollId !== poll?.pollId)) {
    // The log of an auto-webinar lags behind its viewers, who get the script in advance.
    await advanceAutoSession(tx, { id }, new Date())
    poll = await readOpenPoll(tx, id)
  }
  const outcomes = entries.map(({ event }) => checkVote(event, poll))
  const rows = outcomes.flatMap((outcome) => {
    if (outcome instanceof Refusal || outcome.type !== 'poll.vote' || !outcome.actorId || !poll) return []
    const { pollId, choices } = outcome.payload
    return [{ tenantId, sessionId: id, pollId, openedAt: new Date(poll.openedAt), personId: outcome.actorId, choices }]
  })
  if (rows.length === 0) return outcomes
  const counted = await tx
    .insert(meetingVote)
    .values(rows)
    .onConflictDoNothing()
    .returning({ personId: meetingVote.personId })
  const accepted = new Set(counted.map(({ personId }) => personId))
  // Of two votes of one participant in a batch the first is counted.
  return outcomes.map((outcome) =>
    outcome instanceof Refusal || accepted.delete(outcome.actorId ?? '') ? outcome : null,
  )
}

async function readOpenPoll(tx: Tx, sessionId: string): Promise<RoomState['poll']> {
  const [session] = await tx
    .select({ poll: sql<RoomState['poll']>`${workshopSession.state}->'poll'` })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  return session?.poll ?? null
}

function checkVote(event: BatchEntry['event'], poll: RoomState['poll']): NewEvent | Refusal {
  if (event.type !== 'poll.vote') return new Refusal('invalid')
  if (poll?.pollId !== event.payload.pollId) return new Refusal('not_found')
  if (poll.closed) return new Refusal('conflict')
  return isValidChoice(poll.content, event.payload.choices) ? event : new Refusal('invalid')
}

/** Number of options: a rating goes from one star (0) to five (4). */
const countOptions = ({ kind, options }: PollContent): number => (kind === 'rating' ? 5 : options.length)

function isValidChoice(content: PollContent, choices: readonly number[]): boolean {
  if (content.kind !== 'multi' && choices.length !== 1) return false
  return new Set(choices).size === choices.length && choices.every((choice) => choice < countOptions(content))
}

type OpenPoll = NonNullable<RoomState['poll']>

/** Counts the votes of one opening of a poll. */
export async function countPollVotes(tx: Tx, sessionId: string, poll: OpenPoll): Promise<PollTally> {
  const isVote = and(
    eq(meetingVote.sessionId, sessionId),
    eq(meetingVote.pollId, poll.pollId),
    eq(meetingVote.openedAt, new Date(poll.openedAt)),
  )
  const counts = await tx
    .select({ choices: meetingVote.choices, votes: sql<number>`count(*)`.mapWith(Number) })
    .from(meetingVote)
    .where(isVote)
    .groupBy(meetingVote.choices)
  const tally = Array.from({ length: countOptions(poll.content) }, () => 0)
  let voters = 0
  for (const { choices, votes } of counts) {
    voters += votes
    for (const choice of choices) tally[choice] = (tally[choice] ?? 0) + votes
  }
  return { pollId: poll.pollId, tally, voters }
}

/**
 * Events that close the open poll, with its votes and a quiz's answers; none when no poll is open. When the results are
 * for staff, viewers get no votes. The log is locked.
 */
export async function buildPollCloseEvents(tx: Tx, sessionId: string, { poll }: RoomState): Promise<NewEvent[]> {
  if (!poll || poll.closed) return []
  const { kind, right } = poll.content
  const payload = { pollId: poll.pollId, ...(kind === 'quiz' && { right }) }
  const counted: NewEvent = {
    type: 'poll.close',
    payload: { ...payload, ...(await countPollVotes(tx, sessionId, poll)) },
  }
  if (poll.content.showResults !== 'staff') return [counted]
  return [
    { type: 'poll.close', payload: payload },
    { ...counted, audience: 'staff' },
  ]
}

/** Votes of a participant by poll, of closed polls too. */
export async function readOwnVotes(tx: Tx, sessionId: string, personId: string): Promise<Record<string, number[]>> {
  const { pollId, choices, openedAt } = meetingVote
  const rows = await tx
    .select({ pollId, choices })
    .from(meetingVote)
    .where(and(eq(meetingVote.sessionId, sessionId), inArray(meetingVote.personId, [personId])))
    .orderBy(openedAt)
  return Object.fromEntries(rows.map((row) => [row.pollId, row.choices]))
}

const TALLY_DELAY_MS = 1000

async function publishTally({ tenantId, sessionId }: EventSessionRef): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const [session] = await tx
      .select({ state: workshopSession.state })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionId))
    const poll = session?.state.poll
    if (!poll || poll.closed) return
    const tally = await countPollVotes(tx, sessionId, poll)
    const isPublic = poll.content.showResults === 'always'
    await publish(isPublic ? roomChannel(sessionId) : staffChannel(sessionId), { tally })
  })
}
