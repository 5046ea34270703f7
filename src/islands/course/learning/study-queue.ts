import { api } from '#islands/stores/api.ts'
import { CallError, SERVER_ERROR_TRIES } from '#islands/stores/call-error.ts'
import { openDatabase } from '#islands/stores/safe-database.ts'
import { mergeRanges } from '#lib/course/learning/watch-rules.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'

/** What the school has not heard yet of one lesson. */
interface Waiting {
  lessonId: string
  watched: WatchedRanges
  durations: Record<string, number>
  /** The mark that the student has put or taken back. */
  mark: boolean | null
}

type Watched = Awaited<ReturnType<typeof api.course.saveWatched>>
type Completion = Awaited<ReturnType<typeof api.course.completeLesson>>

export type Answer =
  | { kind: 'watched'; lessonId: string; watched: Watched }
  | { kind: 'marked'; lessonId: string; done: boolean; completion: Completion }
  | { kind: 'refused'; lessonId: string; message: string }
/** What is left on this device, and why: `failed` by a fault of the server. */
export type Left = 'nothing' | 'offline' | 'failed' | 'signedOut'

/** Keeps what was watched on this device until the school has it; it survives the tab. */
export function keepWatched(
  owner: string,
  lessonId: string,
  watched: WatchedRanges,
  durations: Record<string, number>,
) {
  return change(owner, lessonId, (before) => ({
    ...before,
    watched: union(before.watched, watched),
    durations: { ...before.durations, ...durations },
  }))
}

export function keepMark(owner: string, lessonId: string, mark: boolean): Promise<void> {
  return change(owner, lessonId, (before) => ({ ...before, mark }))
}

/** What waits of a lesson, e.g. from a tab that was killed. */
export async function waitingOf(owner: string, lessonId: string): Promise<Waiting | undefined> {
  return (await all(owner)).find((one) => one.lessonId === lessonId)
}

/**
 * Sends all that waits, of every lesson of this person. What the school refuses for good is let go; what it could not
 * hear stays. `heard` gets each answer.
 */
export async function sendWaiting(owner: string, heard: (answer: Answer) => void): Promise<Left> {
  let left: Left = 'nothing'
  for (const one of await all(owner)) {
    if ((faults.get(one.lessonId) ?? 0) >= SERVER_ERROR_TRIES) continue
    const outcome = await send(owner, one, heard)
    if (outcome === 'offline') return outcome
    if (outcome !== 'nothing') left = outcome
  }
  return left
}

/** Faults of the server by lesson: after some the rest is kept for the next visit. */
const faults = new Map<string, number>()

async function send(owner: string, one: Waiting, heard: (answer: Answer) => void): Promise<Left> {
  const { lessonId, watched, durations, mark } = one
  const context = { context: { quiet: true } }
  try {
    if (Object.keys(watched).length > 0) {
      const answer = await api.course.saveWatched({ lessonId, watched, durations }, context)
      await change(owner, lessonId, (now) => (sameWatched(now, one) ? { ...now, watched: {}, durations: {} } : now))
      heard({ kind: 'watched', lessonId, watched: answer })
    }
    if (mark !== null) {
      const act = mark ? api.course.completeLesson : api.course.reopenLesson
      const completion = await act({ lessonId }, context)
      await change(owner, lessonId, (now) => (now.mark === mark ? { ...now, mark: null } : now))
      heard({ kind: 'marked', lessonId, done: mark, completion })
    }
    faults.delete(lessonId)
    return 'nothing'
  } catch (error) {
    const failure = CallError.from(error)
    if (failure.status === 401) return 'signedOut'
    if (failure.temporary) return 'offline'
    if (failure.broken) {
      faults.set(lessonId, (faults.get(lessonId) ?? 0) + 1)
      return 'failed'
    }
    // Locked, gone or nonsense: told again it would be refused again.
    await change(owner, lessonId, () => empty(lessonId))
    heard({ kind: 'refused', lessonId, message: failure.message })
    return 'nothing'
  }
}

const empty = (lessonId: string): Waiting => ({ lessonId, watched: {}, durations: {}, mark: null })
const isEmpty = ({ watched, mark }: Waiting): boolean => mark === null && Object.keys(watched).length === 0
const sameWatched = (a: Waiting, b: Waiting): boolean => JSON.stringify(a.watched) === JSON.stringify(b.watched)

function union(before: WatchedRanges, more: WatchedRanges): WatchedRanges {
  const merged = { ...before }
  for (const [fileId, ranges] of Object.entries(more)) merged[fileId] = mergeRanges(before[fileId] ?? [], ranges)
  return merged
}

const database = openDatabase<Waiting>('kafedra-study', 'waiting')

async function change(owner: string, lessonId: string, to: (before: Waiting) => Waiting): Promise<void> {
  await database.update(`${owner} ${lessonId}`, (before) => to(before ?? empty(lessonId)))
}

async function all(owner: string): Promise<Waiting[]> {
  const kept = await database.entries()
  return kept.filter(([key, one]) => key.startsWith(`${owner} `) && !isEmpty(one)).map(([, one]) => one)
}
