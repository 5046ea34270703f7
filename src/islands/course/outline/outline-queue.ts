import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showNotice } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OutlineModule } from '#lib/course/outline/schema.ts'

const UNDO_MS = 10_000

/** A background call: the row has moved already, so nobody waits for a spinner. */
export const QUIET = { context: { isQuiet: true } }

interface ChangeResult {
  changeId: string | null
}

export type OutlineQueue = ReturnType<typeof createOutlineQueue>

/**
 * The author's picture of an outline and the line in which acts wait for each other, so that each is counted from where
 * the one before has put things. What the school refuses, and what others do meanwhile, brings its own picture.
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

  /** Draws the school's picture, unless the author has done something else by the time it comes. */
  const reload = (): void => {
    requestCount += 1
    const request = requestCount
    void queue(async () => {
      if (request !== requestCount) return
      const modules = await api.course.getOutline({ courseId }, QUIET)
      if (request === requestCount) $modules.set(modules)
    }).catch(() => undefined)
  }

  /** Takes back the act that is named when its turn comes: acts before it may still be on their way. */
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
      // By now the author may be at another lesson, where another outline stands.
      if (open) reload()
      else refreshPage()
    } catch (error) {
      showFailure(errorText(error))
    }
  }

  const offerUndo = (changeId: string, words: string): void => {
    const run = () => void undo(() => (done.includes(changeId) ? changeId : undefined))
    showNotice('success', words, { action: { label: t('shell:button.undo'), run }, durationMs: UNDO_MS })
  }

  return {
    $modules,
    reload,
    /** Shows what will be, asks the school, offers to take it back. Answers null when the school said no. */
    async runChange<T extends ChangeResult>(
      next: readonly OutlineModule[] | null,
      send: () => Promise<T>,
      words: string | ((result: T) => string),
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
        if (result.changeId) offerUndo(result.changeId, typeof words === 'string' ? words : words(result))
        return result
      } catch (error) {
        showFailure(errorText(error))
        // Without a network the school's picture does not come, so the author's own from before has to do.
        if (request === requestCount) $modules.set(before)
        reload()
        return null
      }
    },
    /** What somebody did to the outline: the author's own acts are on the screen already. */
    handleChange: ({ changeId }: { changeId: string }): void => {
      void tail.then(() => {
        if (!ownChangeIds.has(changeId)) reload()
      })
    },
    /** Takes the last act back; again the one before. */
    undo: (): void => void undo(() => done.at(-1)),
    open: (): (() => void) => {
      open = true
      return () => {
        open = false
      }
    },
  }
}

// A failure that nobody expected has empty words: the toast has its own.
function errorText(error: unknown): string {
  if (!(error instanceof CallError) || error.unexpected) return ''
  return error.fields.form?.[0] ?? error.message
}
