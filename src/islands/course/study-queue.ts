import { createStore, entries, type UseStore, update } from 'idb-keyval'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'
import { mergeRanges } from '#lib/course/watch-rules.ts'

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
/** What is left on this device, and why. */
export type Left = 'nothing' | 'offline' | 'signedOut'

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
    const outcome = await send(owner, one, heard)
    if (outcome === 'offline') return outcome
    if (outcome === 'signedOut') left = outcome
  }
  return left
}

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
    return 'nothing'
  } catch (error) {
    const { status, message } = CallError.from(error)
    if (status === 401) return 'signedOut'
    if (status === 0 || status === 429 || status >= 500) return 'offline'
    // Locked, gone or nonsense: told again it would be refused again.
    await change(owner, lessonId, () => empty(lessonId))
    heard({ kind: 'refused', lessonId, message })
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

const memory = new Map<string, Waiting>()

// A browser that keeps nothing, or no longer: then it waits as long as the document lives.
async function change(owner: string, lessonId: string, to: (before: Waiting) => Waiting): Promise<void> {
  const key = `${owner} ${lessonId}`
  const held = memory.get(key)
  try {
    if (held) memory.set(key, to(held))
    else await update<Waiting>(key, (before) => to(before ?? empty(lessonId)), shelf())
  } catch {
    memory.set(key, to(empty(lessonId)))
  }
}

async function all(owner: string): Promise<Waiting[]> {
  const kept = await entries<string, Waiting>(shelf()).catch(() => [])
  return [...kept, ...memory].filter(([key, one]) => key.startsWith(`${owner} `) && !isEmpty(one)).map(([, one]) => one)
}

let store: UseStore | undefined

function shelf(): UseStore {
  store ??= createStore('kafedra-study', 'waiting')
  return store
}
