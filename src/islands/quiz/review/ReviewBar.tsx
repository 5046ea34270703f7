import { useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { useDraft } from '#islands/stores/draft/draft.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { useReviewKeys } from '#islands/ui/use-review-keys.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings } from '#lib/core/shared/text/strings.ts'
import { type ReviewedAnswer, unmarkedQuestions } from '#lib/quiz/review/rules.ts'
import { type RenderedReview, reviewDraftOptions, textOfReview } from './review-draft.ts'
import { useReviewFields } from './use-review-fields.ts'

export interface ReviewBarProps {
  review: RenderedReview
  answers: ReviewedAnswer[]
  /** The review was already finished: finishing again sends the changes. */
  isReviewed: boolean
  student: string
  title: string
  owner: string
  /** The next page after finishing: the next waiting attempt, or the list of attempts. */
  nextHref: string
  locale: Locale
  strings: Strings
}

export default asIsland('attemptReview', ReviewBar)

/**
 * The state of a review below its form, and the button that finishes it. The fields of the surrounding form belong to
 * the page; typed text is stored by the draft layer. Without scripts the form is posted.
 */
function ReviewBar({ review, answers, isReviewed, student, title, owner, nextHref, locale, strings }: ReviewBarProps) {
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const { questionIds, attemptId } = review
  const root = useRef<HTMLDivElement>(null)
  const [options] = useState(() => reviewDraftOptions(review, owner, title))
  const draft = useDraft(options)
  const { value, state, version } = draft
  const [isEnding, setEnding] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const fields = useReviewFields({ root, draft, questionIds, locale, onSubmit: () => finish() })
  const unmarked = unmarkedQuestions(answers, value).length
  useReviewKeys(fields.page, {
    next: () => fields.page.current?.querySelector<HTMLElement>('[data-next]')?.click(),
    previous: () => fields.page.current?.querySelector<HTMLElement>('[data-previous]')?.click(),
  })

  function finish(): void {
    if (isEnding) return
    const isValid = fields.validate()
    if (!isValid) setProblem(t('review:invalidScores'))
    else if (unmarked > 0) {
      fields.focusUnmarked()
      setProblem(t('review:unmarked', { count: unmarked }))
    } else {
      setProblem(null)
      draft.flush()
      setEnding(true)
    }
  }

  useEffect(() => {
    if (!isEnding || state.kind === 'saving') return
    setEnding(false)
    if (state.kind !== 'saved') return setProblem(t('review:notSaved'))
    void api.quiz.finishReview({ attemptId, revision: version }).then(
      () => {
        showSuccess(t('review:done', { name: student }))
        navigateTo(nextHref)
      },
      (error: unknown) => {
        const failure = CallError.from(error)
        setProblem(failure.fields.form?.[0] ?? failure.message)
      },
    )
  }, [isEnding, state.kind, version, attemptId, student, nextHref, t])

  return (
    <div ref={root} className="grid gap-3" data-ready={draft.isReady || undefined}>
      {state.kind === 'conflict' && (
        <ConflictChoice
          mine={textOfReview(state.mine, questionIds)}
          theirs={textOfReview(state.theirs, questionIds)}
          by={state.by}
          onChoose={draft.resolve}
          t={t}
        />
      )}
      {problem && (
        <p role="alert" className="font-medium text-error text-sm">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="primary" type="submit" name="intent" value="finishReview" busy={isEnding} data-key="accept">
          {t(isReviewed ? 'review:finishAgain' : 'review:finish')}
        </Button>
        <span className="text-muted text-sm" data-unmarked={unmarked}>
          {unmarked > 0 ? t('review:unmarked', { count: unmarked }) : t('review:allMarked')}
        </span>
        {unmarked > 0 && (
          <button type="button" className="still-link text-sm" data-key="n" onClick={fields.focusUnmarked}>
            {t('review:nextUnmarked')}
          </button>
        )}
        <SaveState state={state} locale={locale} t={t} />
      </div>
    </div>
  )
}
