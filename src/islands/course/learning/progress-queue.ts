import { api } from '#islands/stores/api.ts'
import { CallError, MAX_SERVER_ERROR_ATTEMPTS } from '#islands/stores/call-error.ts'
import { openDatabase } from '#islands/stores/safe-database.ts'
import { mergeRanges } from '#lib/course/learning/watch-rules.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'

/** Progress of one lesson that the server does not have yet. */
interface QueuedProgress {
  lessonId: string
  watched: WatchedRanges
  durations: Record<string, number>
  /** Completion set or removed by the student. */
  mark: boolean | null
}

type WatchedResult = Awaited<ReturnType<typeof api.course.saveWatched>>
type CompletionResult = Awaited<ReturnType<typeof api.course.completeLesson>>

export type ProgressResult =
  | { kind: 'watched'; lessonId: string; watched: WatchedResult }
  | { kind: 'marked'; lessonId: string; done: boolean; completion: CompletionResult }
  | { kind: 'refused'; lessonId: string; message: string }
/** Why progress is still on this device: `failed` by a server error. */
export type UnsentReason = 'nothing' | 'offline' | 'failed' | 'signedOut'

/** Stores watched ranges on this device until the server has them; they survive the tab. */
export function queueWatched(
  owner: string,
  lessonId: string,
  watched: WatchedRanges,
  durations: Record<string, number>,
) {
  return updateItem(owner, lessonId, (before) => ({
    ...before,
    watched: mergeWatched(before.watched, watched),
    durations: { ...before.durations, ...durations },
  }))
}

export function queueCompletion(owner: string, lessonId: string, mark: boolean): Promise<void> {
  return updateItem(owner, lessonId, (before) => ({ ...before, mark }))
}

/** Queued progress of a lesson, for example of a closed tab. */
export async function findQueued(owner: string, lessonId: string): Promise<QueuedProgress | undefined> {
  return (await listQueued(owner)).find((item) => item.lessonId === lessonId)
}

/**
 * Sends the queued progress of all lessons of the student. Items that the server refuses are dropped; others stay
 * queued. `onResult` receives each result.
 */
export async function sendQueued(owner: string, onResult: (answer: ProgressResult) => void): Promise<UnsentReason> {
  let unsent: UnsentReason = 'nothing'
  for (const item of await listQueued(owner)) {
    if ((faultCounts.get(item.lessonId) ?? 0) >= MAX_SERVER_ERROR_ATTEMPTS) continue
    const outcome = await sendItem(owner, item, onResult)
    if (outcome === 'offline') return outcome
    if (outcome !== 'nothing') unsent = outcome
  }
  return unsent
}

/** Server errors by lesson: after several, the item waits for the next visit. */
const faultCounts = new Map<string, number>()

async function sendItem(
  owner: string,
  item: QueuedProgress,
  onResult: (saved: ProgressResult) => void,
): Promise<UnsentReason> {
  const { lessonId, watched, durations, mark } = item
  const context = { context: { isQuiet: true } }
  try {
    if (Object.keys(watched).length > 0) {
      const saved = await api.course.saveWatched({ lessonId, watched, durations }, context)
      await updateItem(owner, lessonId, (current) =>
        hasSameWatched(current, item) ? { ...current, watched: {}, durations: {} } : current,
      )
      onResult({ kind: 'watched', lessonId, watched: saved })
    }
    if (mark !== null) {
      const complete = mark ? api.course.completeLesson : api.course.reopenLesson
      const completion = await complete({ lessonId }, context)
      await updateItem(owner, lessonId, (current) => (current.mark === mark ? { ...current, mark: null } : current))
      onResult({ kind: 'marked', lessonId, done: mark, completion })
    }
    faultCounts.delete(lessonId)
    return 'nothing'
  } catch (error) {
    const failure = CallError.from(error)
    if (failure.status === 401) return 'signedOut'
    if (failure.temporary) return 'offline'
    if (failure.broken) {
      faultCounts.set(lessonId, (faultCounts.get(lessonId) ?? 0) + 1)
      return 'failed'
    }
    // Locked, deleted or invalid: a repeated request would be refused again.
    await updateItem(owner, lessonId, () => emptyItem(lessonId))
    onResult({ kind: 'refused', lessonId, message: failure.message })
    return 'nothing'
  }
}

const emptyItem = (lessonId: string): QueuedProgress => ({ lessonId, watched: {}, durations: {}, mark: null })
const isEmpty = ({ watched, mark }: QueuedProgress): boolean => mark === null && Object.keys(watched).length === 0
const hasSameWatched = (a: QueuedProgress, b: QueuedProgress): boolean =>
  JSON.stringify(a.watched) === JSON.stringify(b.watched)

function mergeWatched(before: WatchedRanges, added: WatchedRanges): WatchedRanges {
  const merged = { ...before }
  for (const [fileId, ranges] of Object.entries(added)) merged[fileId] = mergeRanges(before[fileId] ?? [], ranges)
  return merged
}

const database = openDatabase<QueuedProgress>('kafedra-study', 'waiting')

async function updateItem(
  owner: string,
  lessonId: string,
  update: (before: QueuedProgress) => QueuedProgress,
): Promise<void> {
  await database.update(`${owner} ${lessonId}`, (before) => update(before ?? emptyItem(lessonId)))
}

async function listQueued(owner: string): Promise<QueuedProgress[]> {
  const entries = await database.entries()
  return entries.filter(([key, item]) => key.startsWith(`${owner} `) && !isEmpty(item)).map(([, item]) => item)
}
