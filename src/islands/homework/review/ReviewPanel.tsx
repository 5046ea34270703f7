import { type RefObject, useState } from 'react'
import { RichText } from '#islands/editor/RichText.tsx'
import type { DraftHandle } from '#islands/stores/draft/draft.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { countWords, EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { missingForVerdict, rubricSum } from '#lib/homework/review/rules.ts'
import { type ReviewDraft, VERDICTS, type VerdictAction } from '#lib/homework/review/schema.ts'
import { toPlainText } from './plain-text.ts'
import { ReviewRubric } from './ReviewRubric.tsx'
import type { SubmissionReviewProps } from './review-props.ts'
import { SnippetMenu } from './SnippetMenu.tsx'
import { useFinishReview } from './use-finish-review.ts'
import { VoiceComment } from './VoiceComment.tsx'

interface Props extends SubmissionReviewProps {
  draft: DraftHandle<ReviewDraft>
  change: (part: Partial<ReviewDraft>) => void
  editable: boolean
  version: RefObject<number>
}

/** The form of the review. Nothing is preselected, and missing parts are listed. */
export function ReviewPanel(props: Props) {
  const { submission, i18n, draft, change, editable, onShow } = props
  const { t, locale } = i18n
  const { value, state } = draft
  const [verdict, setVerdict] = useState<VerdictAction | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [ending, setEnding] = useState<VerdictAction | null>(null)
  useFinishReview({ ...props, kind: state.kind }, ending, (failed) => {
    setEnding(null)
    setProblem(failed)
  })
  const finish = (chosen: VerdictAction | null) => {
    if (!editable || ending) return
    setVerdict(chosen)
    const missing = chosen
      ? missingForVerdict(chosen, submission.task, { ...value, hasFeedback: hasFeedback(value) })
      : 'none'
    setProblem(missing ? t(keyFrom(`homework:review.missing.${missing}`), pointLimits(submission.task)) : null)
    if (missing || !chosen) return
    draft.flush()
    setEnding(chosen)
  }
  const sum = submission.task.rubric.length > 0 ? rubricSum(submission.task.rubric, value.rubricMarks) : null
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold text-lg">{t('homework:review.panel')}</h2>
        <SaveState state={state} locale={locale} t={t} />
      </div>
      {state.kind === 'conflict' && (
        <ConflictChoice
          mine={toPlainText(state.mine.feedback)}
          theirs={toPlainText(state.theirs.feedback)}
          onChoose={draft.resolve}
          t={t}
        />
      )}
      {submission.task.rubric.length > 0 && (
        <ReviewRubric
          rubric={submission.task.rubric}
          marks={value.rubricMarks}
          editable={editable}
          t={t}
          onMark={(rubricMarks) => change({ rubricMarks })}
        />
      )}
      {submission.task.grading === 'points' && (
        <Field
          label={t('homework:review.score', { max: submission.task.maxPoints ?? 100 })}
          hint={
            submission.task.passPoints === null
              ? undefined
              : t('homework:review.pass', { pass: submission.task.passPoints })
          }
          aside={
            sum !== null && sum !== value.score && editable ? (
              <button type="button" className="still-link text-sm" onClick={() => change({ score: sum })}>
                {t('homework:review.takeSum', { sum })}
              </button>
            ) : undefined
          }
          type="number"
          inputMode="numeric"
          min={0}
          max={submission.task.maxPoints ?? 1000}
          value={value.score ?? ''}
          disabled={!editable}
          onChange={(event) => change({ score: parseScore(event.currentTarget.value) })}
        />
      )}
      <div data-key="f" className="grid gap-2">
        <RichText
          value={value.feedback ?? EMPTY_DOC}
          onChange={(feedback) =>
            change({ feedback: value.feedback === null && countWords(feedback) === 0 ? null : feedback })
          }
          label={t('homework:review.feedback')}
          t={t}
          onBlur={draft.flush}
          disabled={!editable}
        />
        <SnippetMenu
          submission={submission}
          i18n={i18n}
          editable={editable}
          feedback={value.feedback}
          onTake={(feedback) => change({ feedback })}
        />
      </div>
      <VoiceComment
        submission={submission}
        i18n={i18n}
        editable={editable}
        fileId={value.voiceFileId}
        onVoice={(voiceFileId) => change({ voiceFileId })}
      />
      <fieldset className="grid gap-2" disabled={!editable}>
        <legend className="field-label mb-1.5">{t('homework:review.verdict')}</legend>
        {VERDICTS.map((option) => (
          <label key={option} className="review-choice" data-chosen={verdict === option}>
            <input
              type="radio"
              name="verdict"
              className="radio radio-sm"
              checked={verdict === option}
              data-key={VERDICT_KEYS[option]}
              aria-keyshortcuts={VERDICT_KEYS[option].toUpperCase()}
              onChange={() => {
                setVerdict(option)
                setProblem(null)
              }}
            />
            <span>{t(`homework:review.choose.${option}`)}</span>
          </label>
        ))}
      </fieldset>
      {problem && (
        <p role="alert" className="font-medium text-error text-sm">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" busy={ending !== null} disabled={!editable} onClick={() => finish(verdict)}>
          {t('homework:review.finish')}
        </Button>
        <button type="button" className="btn btn-ghost" onClick={() => void onShow(submission.next)}>
          {t('homework:review.skip')}
        </button>
        <button type="button" data-key="accept" hidden onClick={() => finish('accept')} />
      </div>
    </div>
  )
}

const VERDICT_KEYS: Record<VerdictAction, string> = { accept: 'a', return: 'r', reject: 'x' }

const hasFeedback = ({ feedback, voiceFileId, annotations }: ReviewDraft): boolean =>
  voiceFileId !== null || annotations.length > 0 || (feedback !== null && countWords(feedback) > 0)

const pointLimits = ({ maxPoints, passPoints }: { maxPoints: number | null; passPoints: number | null }) => {
  return { max: maxPoints ?? 0, pass: passPoints ?? 0 }
}

function parseScore(typed: string): number | null {
  const score = Number.parseInt(typed, 10)
  return Number.isNaN(score) ? null : Math.min(Math.max(score, 0), 1000)
}
