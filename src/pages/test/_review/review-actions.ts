import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantTime } from '#lib/quiz/attempt/grant-time.ts'
import { GrantTime } from '#lib/quiz/attempt/schema.ts'
import { acceptLateAnswer } from '#lib/quiz/late/late-answer.ts'
import { AcceptLateAnswer } from '#lib/quiz/late/schema.ts'
import { setOverride } from '#lib/quiz/overrides.ts'
import type { AttemptReviewPage } from '#lib/quiz/review/attempt-review.ts'
import { parseScore, readReviewForm, scoreField } from '#lib/quiz/review/form-rules.ts'
import { finishAttemptReview, saveAttemptReview } from '#lib/quiz/review/review.ts'
import { SaveAttemptReview } from '#lib/quiz/review/schema.ts'
import { SetOverride } from '#lib/quiz/schema.ts'
import { formText } from '../../_request/form-actions.ts'

/** Form actions of the review page; each returns the path to redirect to. `loadPage` loads the posted page. */
export function reviewActions(actor: Actor, loadPage: () => Promise<AttemptReviewPage>) {
  const hrefOf = ({ quiz, student, attempt }: AttemptReviewPage, notice: string) =>
    `/test/${quiz.id}/${student.id}?${attempt ? `attempt=${attempt.id}&` : ''}notice=${notice}`
  const save = async (page: AttemptReviewPage, form: FormData) => {
    const { attempt } = page
    if (!attempt) throw new Refusal('not_found')
    const { draft, invalid } = readReviewForm(
      form,
      attempt.answers.map(({ questionId }) => questionId),
    )
    if (invalid.length > 0)
      throw new Refusal('invalid', {
        fields: Object.fromEntries(invalid.map((questionId) => [scoreField(questionId), ['format']])),
      })
    const revision = Number(formText(form, 'revision'))
    return saveAttemptReview(actor, SaveAttemptReview.parse({ attemptId: attempt.id, revision, draft }))
  }
  return {
    saveReview: async (form: FormData) => {
      const page = await loadPage()
      await save(page, form)
      return hrefOf(page, 'saved')
    },
    finishReview: async (form: FormData) => {
      const page = await loadPage()
      const { revision } = await save(page, form)
      await finishAttemptReview(actor, { attemptId: page.attempt?.id ?? '', revision })
      return hrefOf(page, 'finished')
    },
    acceptLate: async (form: FormData) => {
      const page = await loadPage()
      const input = {
        attemptId: page.attempt?.id ?? '',
        questionId: formText(form, 'questionId'),
        revision: formText(form, 'lateRevision'),
      }
      await acceptLateAnswer(actor, AcceptLateAnswer.parse(input))
      return hrefOf(page, 'lateAccepted')
    },
    setAllowance: async (form: FormData) => {
      const page = await loadPage()
      const { openAt, closeAt, timeLimitSec } = page.allowance
      await setOverride(
        actor,
        SetOverride.parse({
          quizId: page.quiz.id,
          studentId: page.student.id,
          openAt: openAt?.toISOString() ?? null,
          closeAt: closeAt?.toISOString() ?? null,
          timeLimitSec,
          extraAttempts: Number(formText(form, 'extraAttempts') || 0),
          extraTimeSec: secondsOf(formText(form, 'extraMinutes') || '0'),
        }),
      )
      return hrefOf(page, 'allowance')
    },
    grantTime: async (form: FormData) => {
      const page = await loadPage()
      const { attempt } = page
      if (!attempt) throw new Refusal('not_found')
      const input = {
        attemptId: attempt.id,
        seconds: secondsOf(formText(form, 'minutes')),
        note: formText(form, 'note'),
      }
      await grantTime(actor, GrantTime.parse(input))
      return hrefOf(page, 'timeGranted')
    },
  }
}

/** Converts minutes, also with a decimal comma, to seconds; invalid numbers are left to the schema to refuse. */
const secondsOf = (minutes: string): number => Math.round((parseScore(minutes) ?? Number.NaN) * 60)
