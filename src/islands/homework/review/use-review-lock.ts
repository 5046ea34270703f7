import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { showFailure } from '#islands/stores/notice.ts'
import type { DeskProps, Work } from './reviewed-submission.ts'

/**
 * How this reviewer stands to the work: `opening` asks for it, `mine` holds it, `held` is somebody else's, `taken` was
 * mine until somebody took it over, `resting` went back to the queue after a long silence, `judged` waits no more, and
 * `reading` is for a school whose plan has lapsed.
 */
export type Hold = 'opening' | 'mine' | 'held' | 'taken' | 'resting' | 'judged' | 'reading'

interface Lock {
  state: Work['attempts'][number]['state']
  holder: { id: string; name: string } | null
}

const KEEP_MILLISECONDS = 4 * 60_000

/** The lock of a work: takes it, keeps it while somebody works, hears who takes it over, and lets it go at the end. */
export function useDesk(work: Work, { me, writes, filter }: Pick<DeskProps, 'me' | 'writes' | 'filter'>) {
  const [shown, setShown] = useState(work)
  const [hold, setHold] = useState<Hold>(() => firstHold(work, writes))
  const [holder, setHolder] = useState(work.holder)
  const held = useRef(hold)
  held.current = hold
  const latest = useRef({ work: shown, filter })
  latest.current = { work: shown, filter }
  /** When this person did something here last; 0 once the page is being left. */
  const active = useRef(0)
  const { id } = work

  const reload = useCallback(async () => {
    const fresh = await api.homework.getReviewPage({ submissionId: id, ...latest.current.filter }, QUIET)
    setShown(fresh)
    return fresh
  }, [id])

  const open = useCallback(
    async (takeOver = false) => {
      try {
        const lock = await api.homework.open({ submissionId: id, takeOver }, QUIET)
        setHolder(lock.holder)
        // Somebody may have written meanwhile: the draft goes on from what is there.
        if (lock.isMine && lock.version !== latest.current.work.draft.version) await reload()
        active.current = Date.now()
        setHold(lock.isMine ? 'mine' : lock.holder ? 'held' : 'judged')
      } catch (error) {
        const failure = CallError.from(error)
        setHold('reading')
        showFailure(failure.fields.form?.[0] ?? failure.message)
      }
    },
    [id, reload],
  )

  useEffect(() => {
    if (held.current === 'opening') void open()
    const hear = (lock: Lock) => {
      setHolder(lock.holder)
      const next = afterEvent(held.current, lock, me)
      if (next === held.current) return
      // Not half an hour of silence: another window of the same person has let it go.
      if (next === 'resting' && Date.now() - active.current < 2 * KEEP_MILLISECONDS) return void open()
      setHold(next)
      if (next === 'judged') void reload()
    }
    const end = subscribe<Lock>(`review:${id}`, hear, () => void reload())
    return () => {
      end()
      if (held.current === 'mine') void letGo(id)
    }
  }, [id, me, open, reload])

  useEffect(() => {
    if (hold !== 'mine') return undefined
    let busy = false
    const note = () => {
      busy = true
      active.current = Date.now()
    }
    for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true })
    const timer = setInterval(() => {
      if (!busy) return
      busy = false
      void api.homework.renewLock({ submissionId: id }, QUIET).catch(() => undefined)
    }, KEEP_MILLISECONDS)
    const leave = () => {
      active.current = 0
      void letGo(id)
    }
    const back = (event: PageTransitionEvent) => event.persisted && void open()
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', back)
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, note)
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', back)
    }
  }, [hold, id, open])

  return { shown, hold, holder, open, reload }
}
export type DeskState = ReturnType<typeof useDesk>

const QUIET = { context: { isQuiet: true } }
const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'scroll'] as const

function firstHold(work: Work, writes: boolean): Hold {
  const state = work.attempts.find(({ id }) => id === work.id)?.state
  if (state !== 'submitted' && state !== 'in_review') return 'judged'
  return writes ? 'opening' : 'reading'
}

function afterEvent(hold: Hold, { state, holder }: Lock, me: string): Hold {
  if (state !== 'submitted' && state !== 'in_review') return hold === 'mine' ? 'mine' : 'judged'
  if (holder && holder.id !== me) return hold === 'mine' || hold === 'taken' ? 'taken' : 'held'
  if (!holder && hold === 'mine') return 'resting'
  return hold
}

/** Outlives the page, so that the work does not wait for half an hour. */
function letGo(submissionId: string): Promise<unknown> {
  return api.homework.release({ submissionId }, { context: { isQuiet: true, isLeaving: true } }).catch(() => undefined)
}
