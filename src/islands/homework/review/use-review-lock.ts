import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { ReviewedSubmission, ReviewProps } from './reviewed-submission.ts'

/**
 * State of the reviewer's lock: `opening` is requesting it, `mine` has it, `held` is locked by another reviewer,
 * `taken` was taken over, `resting` has expired, `reviewed` has a verdict, `reading` is read-only because the plan has
 * expired.
 */
export type LockStatus = 'opening' | 'mine' | 'held' | 'taken' | 'resting' | 'reviewed' | 'reading'

interface LockEvent {
  state: ReviewedSubmission['attempts'][number]['state']
  holder: { id: string; name: string } | null
}

const RENEW_INTERVAL_MS = 4 * MINUTE_MS

/**
 * Acquires the lock of a submission, renews it while the reviewer is active, follows takeovers and releases it at the
 * end.
 */
export function useReviewLock(
  submission: ReviewedSubmission,
  { memberId, canWrite, filter }: Pick<ReviewProps, 'memberId' | 'canWrite' | 'filter'>,
) {
  const [shown, setShown] = useState(submission)
  const [hold, setHold] = useState<LockStatus>(() => initialStatus(submission, canWrite))
  const [holder, setHolder] = useState(submission.holder)
  const latestLock = useRef(hold)
  latestLock.current = hold
  const latest = useRef({ submission: shown, filter })
  latest.current = { submission: shown, filter }
  /** Time of the last activity; 0 while the page is left. */
  const active = useRef(0)
  const { id } = submission

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
        // The draft may have changed meanwhile: continue from the server's version.
        if (lock.isMine && lock.version !== latest.current.submission.draft.version) await reload()
        active.current = Date.now()
        setHold(lock.isMine ? 'mine' : lock.holder ? 'held' : 'reviewed')
      } catch (error) {
        const failure = CallError.from(error)
        setHold('reading')
        showFailure(failure.fields.form?.[0] ?? failure.message)
      }
    },
    [id, reload],
  )

  useEffect(() => {
    if (latestLock.current === 'opening') void open()
    const handleEvent = (lock: LockEvent) => {
      setHolder(lock.holder)
      const next = nextStatus(latestLock.current, lock, memberId)
      if (next === latestLock.current) return
      // Not expired: another window of the same reviewer has released it.
      if (next === 'resting' && Date.now() - active.current < 2 * RENEW_INTERVAL_MS) return void open()
      setHold(next)
      if (next === 'reviewed') void reload()
    }
    const end = subscribe<LockEvent>(`review:${id}`, handleEvent, () => void reload())
    return () => {
      end()
      if (latestLock.current === 'mine') void releaseLock(id)
    }
  }, [id, memberId, open, reload])

  useEffect(() => {
    if (hold !== 'mine') return undefined
    let busy = false
    const note = () => {
      busy = true
      active.current = Date.now()
    }
    for (const sign of ACTIVITY_EVENTS) window.addEventListener(sign, note, { passive: true })
    const timer = setInterval(() => {
      if (!busy) return
      busy = false
      void api.homework.renewLock({ submissionId: id }, QUIET).catch(() => undefined)
    }, RENEW_INTERVAL_MS)
    const leave = () => {
      active.current = 0
      void releaseLock(id)
    }
    const back = (event: PageTransitionEvent) => event.persisted && void open()
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', back)
    return () => {
      for (const sign of ACTIVITY_EVENTS) window.removeEventListener(sign, note)
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', back)
    }
  }, [hold, id, open])

  return { shown, hold, holder, open, reload }
}
export type ReviewLock = ReturnType<typeof useReviewLock>

const QUIET = { context: { isQuiet: true } }
const ACTIVITY_EVENTS = ['keydown', 'pointerdown', 'pointermove', 'scroll'] as const

function initialStatus(submission: ReviewedSubmission, canWrite: boolean): LockStatus {
  const state = submission.attempts.find(({ id }) => id === submission.id)?.state
  if (state !== 'submitted' && state !== 'in_review') return 'reviewed'
  return canWrite ? 'opening' : 'reading'
}

function nextStatus(hold: LockStatus, { state, holder }: LockEvent, memberId: string): LockStatus {
  if (state !== 'submitted' && state !== 'in_review') return hold === 'mine' ? 'mine' : 'reviewed'
  if (holder && holder.id !== memberId) return hold === 'mine' || hold === 'taken' ? 'taken' : 'held'
  if (!holder && hold === 'mine') return 'resting'
  return hold
}

/** Sent with keepalive when the page is left, so that the submission is not locked for half an hour. */
function releaseLock(submissionId: string): Promise<unknown> {
  return api.homework.release({ submissionId }, { context: { isQuiet: true, isLeaving: true } }).catch(() => undefined)
}
