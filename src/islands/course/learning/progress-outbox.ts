import { api } from '#islands/stores/api.ts'
import { createOutbox, type Outbox } from '#islands/stores/outbox/outbox.ts'
import {
  createDeviceOutboxStorage,
  type OutboxItem,
  type OutboxStorage,
} from '#islands/stores/outbox/outbox-storage.ts'
import { mergeRanges } from '#lib/course/learning/watch-rules.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'

/** Progress of one lesson that the server does not have yet. */
interface Progress {
  lessonId: string
  /** For the notice about refused progress; progress of earlier versions has none. */
  title?: string
  watched: WatchedRanges
  durations: Record<string, number>
  /** Completion set or removed by the student. */
  mark: boolean | null
}

type WatchedResult = Awaited<ReturnType<typeof api.course.saveWatched>>
type CompletionResult = Awaited<ReturnType<typeof api.course.completeLesson>>

export interface ProgressEvents {
  onSaved(lessonId: string, completion: WatchedResult['completion'] | CompletionResult): void
  /** The completion was refused: the lesson is shown as the server has it. */
  onRefused(lessonId: string, message: string): void
  onUnsent(reason: UnsentReason): void
  /** Progress that the server refuses stays on this device and is sent again at the next visit or by `retryRefused`. */
  onRefusedChange(refused: readonly RefusedProgress[]): void
}

export interface RefusedProgress {
  lessonId: string
  title: string
  message: string
}

/** Why progress is still on this device: `failed` by a server error. */
export type UnsentReason = 'nothing' | 'offline' | 'failed' | 'signedOut'

export interface ProgressOutbox {
  addWatched(lessonId: string, watched: WatchedRanges, durations: Record<string, number>): void
  /** Sends the completion at once. */
  addCompletion(lessonId: string, mark: boolean): void
  /** Progress of a lesson that is not yet sent, for example of a closed tab. */
  findUnsent(lessonId: string): Promise<Progress | undefined>
  retryRefused(): void
  flush(): Promise<void>
  close(): void
}

const DELAY_MS = 10_000

/**
 * Stores watched ranges and completions of a student on this device until the server has them; they survive the tab.
 * Ranges are sent every ten seconds. `owner` is the membership's id, `title` that of the visited lesson.
 */
export function createProgressOutbox(
  owner: string,
  title: string,
  events: ProgressEvents,
  transport: ProgressTransport = deviceTransport(owner),
): ProgressOutbox {
  const messageById = new Map<string, string>()
  const outbox: Outbox<Progress> = createOutbox({
    storage: transport.storage,
    send: transport.send,
    onSent: ({ payload }, completion) => events.onSaved(payload.lessonId, completion),
    onFailed({ id, payload }, failure) {
      if (failure.broken) return 'keep'
      messageById.set(id, failure.message)
      events.onRefused(payload.lessonId, failure.message)
      // The server has the watched parts and says which are missing: the student completes the lesson after them.
      return payload.mark !== null && failure.data.missing ? 'discard' : 'keep'
    },
    onChange(items) {
      events.onUnsent(unsentReason(items))
      const refused = items.filter(isRefused)
      events.onRefusedChange(
        refused.map(({ id, payload }) => {
          return { lessonId: payload.lessonId, title: payload.title ?? '', message: messageById.get(id) ?? '' }
        }),
      )
    },
    merge: mergeProgress,
    delayMs: DELAY_MS,
  })
  return {
    addWatched: (lessonId, watched, durations) => outbox.add({ lessonId, title, watched, durations, mark: null }),
    addCompletion(lessonId, mark) {
      outbox.add({ lessonId, title, watched: {}, durations: {}, mark })
      void outbox.flush()
    },
    async findUnsent(lessonId) {
      await outbox.loaded
      const queued = outbox.list().filter(({ payload }) => payload.lessonId === lessonId)
      return queued.map(({ payload }) => payload).reduce(joinProgress, undefined)
    },
    retryRefused() {
      for (const { id } of outbox.list().filter(isRefused)) outbox.retry(id)
    },
    flush: outbox.flush,
    close: outbox.close,
  }
}

/** The storage of progress that is not sent, and how it is sent. */
export interface ProgressTransport {
  storage: OutboxStorage<Progress>
  send(progress: Progress): Promise<WatchedResult['completion'] | CompletionResult>
}

const deviceTransport = (owner: string): ProgressTransport => ({
  storage: createDeviceOutboxStorage<Progress>('kafedra-study', 'waiting', owner),
  send: sendProgress,
})

const isRefused = ({ state, cause }: OutboxItem<Progress>): boolean => state === 'failed' && cause === 'refused'

async function sendProgress({
  lessonId,
  watched,
  durations,
  mark,
}: Progress): Promise<WatchedResult['completion'] | CompletionResult> {
  const context = { context: { isQuiet: true } }
  const hasWatched = Object.keys(watched).length > 0
  const saved = hasWatched ? await api.course.saveWatched({ lessonId, watched, durations }, context) : null
  if (mark === null) return saved?.completion ?? null
  return mark ? api.course.completeLesson({ lessonId }, context) : api.course.reopenLesson({ lessonId }, context)
}

function mergeProgress(queued: Progress, added: Progress): Progress | null {
  if (queued.lessonId !== added.lessonId) return null
  const watched = { ...queued.watched }
  for (const [fileId, ranges] of Object.entries(added.watched))
    watched[fileId] = mergeRanges(watched[fileId] ?? [], ranges)
  return {
    lessonId: queued.lessonId,
    ...(added.title === undefined ? {} : { title: added.title }),
    watched,
    durations: { ...queued.durations, ...added.durations },
    mark: added.mark ?? queued.mark,
  }
}

const joinProgress = (before: Progress | undefined, next: Progress): Progress =>
  (before && mergeProgress(before, next)) ?? next

function unsentReason(items: readonly OutboxItem<Progress>[]): UnsentReason {
  if (items.some(({ state, cause }) => state === 'failed' && cause === 'server')) return 'failed'
  const first = items.find(({ state }) => state !== 'failed')
  if (!first?.cause) return 'nothing'
  if (first.cause === 'signedOut') return 'signedOut'
  return first.cause === 'server' ? 'failed' : 'offline'
}
