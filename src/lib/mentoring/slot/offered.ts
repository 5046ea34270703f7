import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import type { ProgramSettings } from '../program/schema.ts'
import type { MentorTimes } from './busy.ts'
import { listSlots, type SlotInput } from './slots.ts'

/** A time that a student can book, with the mentors who have it. */
export interface OfferedSlot {
  startAt: number
  mentorIds: string[]
  /** Free seats of a group session that others have booked; null otherwise. */
  seatsLeft: number | null
}

type Rules = SlotInput['program'] & Pick<ProgramSettings, 'format'>

/**
 * The slots of several mentors between `from` and `to` in milliseconds, ascending: free ones, and group sessions with
 * free seats, which take the mentor's time only once.
 */
export function listOfferedSlots(
  program: Rules,
  mentors: readonly MentorTimes[],
  { from, to, now }: { from: number; to: number; now: number },
): OfferedSlot[] {
  const slots = new Map<number, OfferedSlot>()
  const offer = (startAt: number, mentorId: string, seatsLeft: number | null) => {
    const slot = slots.get(startAt)
    if (slot) {
      slot.mentorIds.push(mentorId)
      slot.seatsLeft ??= seatsLeft
    } else slots.set(startAt, { startAt, mentorIds: [mentorId], seatsLeft })
  }
  const earliest = Math.max(from, now + program.minNoticeHours * HOUR_MS)
  const latest = Math.min(to, now + program.maxDaysAhead * DAY_MS)
  for (const { memberId, availability, busy, sessionStarts, openSessions } of mentors) {
    for (const startAt of listSlots({ availability, program, busy, sessionStarts, from, to, now })) {
      offer(startAt, memberId, null)
    }
    if (program.format !== 'group') continue
    for (const { startAt, seatsLeft } of openSessions) {
      if (startAt >= earliest && startAt < latest) offer(startAt, memberId, seatsLeft)
    }
  }
  return [...slots.values()].sort((a, b) => a.startAt - b.startAt)
}
