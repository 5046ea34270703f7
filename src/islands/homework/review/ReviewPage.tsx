import './review.css'
import '../submission/submission.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { useLatestRequest } from '#islands/ui/request/use-latest-request.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { workHref } from '../queue/queue-url.ts'
import type { QueueStep, ReviewedSubmission, ReviewI18n, ReviewProps } from './reviewed-submission.ts'
import { SubmissionReview } from './SubmissionReview.tsx'

export default asIsland('review', ReviewPage)

/**
 * The review page. J and K change the submission in place: the next one is prefetched, including its pictures. An attempt
 * at a test has a separate page.
 */
function ReviewPage(props: ReviewProps) {
  const { filter, query, locale, timeZone, strings } = props
  const [submission, setWork] = useState(props.submission)
  const latest = useLatestRequest()
  const requests = useRef(new Map<string, Promise<ReviewedSubmission>>())
  const i18n: ReviewI18n = { t: createTranslator(strings, locale), locale, timeZone, strings }

  const fetchWork = useCallback(
    (id: string) => {
      const known = requests.current.get(id) ?? api.homework.getReviewPage({ submissionId: id, ...filter }, QUIET)
      requests.current.set(id, known)
      known.catch(() => requests.current.delete(id))
      return known
    },
    [filter],
  )

  const show = useCallback(
    async (step: QueueStep | null) => {
      if (step?.kind !== 'homework') return navigateTo(step ? workHref(step, query) : `/homework${query}`)
      const { id } = step
      const take = (next: ReviewedSubmission) => {
        // The shown submission changes, so it is fetched again next time.
        requests.current.delete(id)
        history.replaceState(history.state, '', `/homework/${id}${query}`)
        setWork(next)
        window.scrollTo({ top: 0 })
      }
      await latest.run(
        () => fetchWork(id),
        take,
        () => showFailure(),
      )
    },
    [fetchWork, query, latest],
  )

  useEffect(() => {
    const { next } = submission
    if (next?.kind !== 'homework') return undefined
    // After the current submission is loaded.
    const timer = setTimeout(() => {
      void fetchWork(next.id)
        .then(preloadPictures)
        .catch(() => undefined)
    }, 400)
    return () => clearTimeout(timer)
  }, [submission, fetchWork])

  return <SubmissionReview key={submission.id} {...props} submission={submission} i18n={i18n} onShow={show} />
}

const QUIET = { context: { isQuiet: true } }

/** Preloads pictures of the next submission. */
function preloadPictures(submission: ReviewedSubmission): void {
  const [attempt] = submission.attempts
  for (const { picture } of attempt?.files.slice(0, 3) ?? []) if (picture) new Image().src = picture.src
}
