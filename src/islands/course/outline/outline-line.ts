import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fail, notify } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { OutlineModule } from '#lib/course/outline/schema.ts'

const UNDO_MILLISECONDS = 10_000

/** A background call: the row has moved already, so nobody waits for a spinner. */
export const QUIET = { context: { quiet: true } }

interface Answer {
  changeId: string | null
}

export type OutlineLine = ReturnType<typeof createLine>

/**
 * The author's picture of an outline and the line in which acts wait for each other, so that each is counted from where
 * the one before has put things. What the school refuses, and what others do meanwhile, brings its own picture.
 */
export function createLine(courseId: string, modules: readonly OutlineModule[], say: Say) {
  const $modules = atom(modules)
  const own = new Set<string>()
  const done: string[] = []
  let tail: Promise<unknown> = Promise.resolve()
  let asked = 0
  let open = false

  const queue = <T>(run: () => Promise<T>): Promise<T> => {
    const done = tail.then(run)
    tail = done.catch(() => undefined)
    return done
  }

  /** Draws the school's picture, unless the author has done something else by the time it comes. */
  const reload = (): void => {
    asked += 1
    const turn = asked
    void queue(async () => {
      if (turn !== asked) return
      const fresh = await api.course.getOutline({ courseId }, QUIET)
      if (turn === asked) $modules.set(fresh)
    }).catch(() => undefined)
  }

  /** Takes back the act that is named when its turn comes: acts before it may still be on their way. */
  const undo = async (which: () => string | undefined): Promise<void> => {
    try {
      const undone = await queue(async () => {
        const changeId = which()
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
      fail(wordsOf(error))
    }
  }

  const offer = (changeId: string, words: string): void => {
    const run = () => void undo(() => (done.includes(changeId) ? changeId : undefined))
    notify('success', words, { action: { label: say('shell:button.undo'), run }, lasts: UNDO_MILLISECONDS })
  }

  return {
    $modules,
    reload,
    /** Shows what will be, asks the school, offers to take it back. Answers null when the school said no. */
    async act<T extends Answer>(
      next: readonly OutlineModule[] | null,
      ask: () => Promise<T>,
      words: string | ((answer: T) => string),
    ): Promise<T | null> {
      asked += 1
      const turn = asked
      const before = $modules.get()
      if (next) $modules.set(next)
      try {
        const answer = await queue(async () => {
          const given = await ask()
          if (given.changeId) own.add(given.changeId)
          if (given.changeId) done.push(given.changeId)
          return given
        })
        if (answer.changeId) offer(answer.changeId, typeof words === 'string' ? words : words(answer))
        return answer
      } catch (error) {
        fail(wordsOf(error))
        // Without a network the school's picture does not come, so the author's own from before has to do.
        if (turn === asked) $modules.set(before)
        reload()
        return null
      }
    },
    /** What somebody did to the outline: the author's own acts are on the screen already. */
    hear: ({ changeId }: { changeId: string }): void => {
      void tail.then(() => {
        if (!own.has(changeId)) reload()
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
function wordsOf(error: unknown): string {
  if (!(error instanceof CallError) || error.unexpected) return ''
  return error.fields.form?.[0] ?? error.message
}
