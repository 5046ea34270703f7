import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OutlineModule } from '#lib/course/outline/schema.ts'

/** A background call without a busy indicator: the row has already moved. */
export const QUIET = { context: { isQuiet: true } }

interface ChangeResult {
  changeId: string | null
}

export type OutlineQueue = ReturnType<typeof createOutlineQueue>

/**
 * The client state of an outline and the queue of changes, which are sent in order. Refused changes and changes by
 * others reload the state.
 */
export function createOutlineQueue(courseId: string, modules: readonly OutlineModule[], t: Translate) {
  const $modules = atom(modules)
  const ownChangeIds = new Set<string>()
  const done: string[] = []
  let tail: Promise<unknown> = Promise.resolve()
  let requestCount = 0
  let open = false

  const queue = <T>(run: () => Promise<T>): Promise<T> => {
    const done = tail.then(run)
    tail = done.catch(() => undefined)
    return done
  }

  /** Loads the server's state unless another change was made in the meantime. */
  const reload = (): void => {
    requestCount += 1
    const request = requestCount
    void queue(async () => {
      if (request !== requestCount) return
      const modules = await api.course.getOutline({ courseId }, QUIET)
      if (request === requestCount) $modules.set(modules)
    }).catch(() => undefined)
  }

  /** Undoes a change after the queued ones: earlier changes may still be in progress. */
  const undo = async (findChangeId: () => string | undefined): Promise<void> => {
    try {
      const undone = await queue(async () => {
        const changeId = findChangeId()
        if (changeId === undefined) return false
        done.splice(done.indexOf(changeId), 1)
        await api.course.undoChange({ changeId }, QUIET)
        return true
      })
      if (!undone) return
      // The author may have opened another lesson by now.
      if (open) reload()
      else refreshPage()
    } catch (error) {
      showFailure(errorText(error))
    }
  }

  const offerUndo = (changeId: string, message: string): void => {
    const run = () => void undo(() => (done.includes(changeId) ? changeId : undefined))
    showNotice('success', message, { action: { label: t('shell:button.undo'), run }, durationMs: UNDO_NOTICE_MS })
  }

  return {
    $modules,
    reload,
    /** Applies a change optimistically, sends it and offers undo. Returns null when the server refuses. */
    async runChange<T extends ChangeResult>(
      next: readonly OutlineModule[] | null,
      send: () => Promise<T>,
      message: string | ((result: T) => string),
    ): Promise<T | null> {
      requestCount += 1
      const request = requestCount
      const before = $modules.get()
      if (next) $modules.set(next)
      try {
        const result = await queue(async () => {
          const response = await send()
          if (response.changeId) ownChangeIds.add(response.changeId)
          if (response.changeId) done.push(response.changeId)
          return response
        })
        if (result.changeId) offerUndo(result.changeId, typeof message === 'string' ? message : message(result))
        return result
      } catch (error) {
        showFailure(errorText(error))
        // Offline, the server's state cannot be loaded: the previous state is restored.
        if (request === requestCount) $modules.set(before)
        reload()
        return null
      }
    },
    /** Handles a change event: own changes are already shown. */
    handleChange: ({ changeId }: { changeId: string }): void => {
      void tail.then(() => {
        if (!ownChangeIds.has(changeId)) reload()
      })
    },
    /** Runs a task when the server has all changes that were made so far. */
    afterChanges: (run: () => Promise<void>): void => void tail.then(run),
    /** Undoes the last change; again the one before. */
    undo: (): void => void undo(() => done.at(-1)),
    open: (): (() => void) => {
      open = true
      return () => {
        open = false
      }
    },
  }
}

// Unexpected errors return an empty text: the toast has its own.
function errorText(error: unknown): string {
  if (!(error instanceof CallError) || error.unexpected) return ''
  return error.fields.form?.[0] ?? error.message
}
