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
import { plainWords } from './plain-text.ts'
import { DeskRubric } from './ReviewRubric.tsx'
import type { SheetProps } from './review-props.ts'
import { SnippetMenu } from './SnippetMenu.tsx'
import { useEnding } from './use-finish-review.ts'
import { VoiceComment } from './VoiceComment.tsx'

interface Props extends SheetProps {
  draft: DraftHandle<ReviewDraft>
  change: (part: Partial<ReviewDraft>) => void
  editable: boolean
  version: RefObject<number>
}

/** The review itself. Nothing is chosen beforehand, and a review that lacks something says what. */
export function DeskPanel(props: Props) {
  const { work, words, draft, change, editable, onShow } = props
  const { t, locale } = words
  const { value, state } = draft
  const [verdict, setVerdict] = useState<VerdictAction | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [ending, setEnding] = useState<VerdictAction | null>(null)
  useEnding({ ...props, kind: state.kind }, ending, (failed) => {
    setEnding(null)
    setTrouble(failed)
  })
  const finish = (chosen: VerdictAction | null) => {
    if (!editable || ending) return
    setVerdict(chosen)
    const missing = chosen ? missingForVerdict(chosen, work.task, { ...value, hasFeedback: says(value) }) : 'none'
    setTrouble(missing ? t(keyFrom(`homework:desk.missing.${missing}`), limits(work.task)) : null)
    if (missing || !chosen) return
    draft.flush()
    setEnding(chosen)
  }
  const sum = work.task.rubric.length > 0 ? rubricSum(work.task.rubric, value.rubricMarks) : null
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold text-lg">{t('homework:desk.panel')}</h2>
        <SaveState state={state} locale={locale} t={t} />
      </div>
      {state.kind === 'conflict' && (
        <ConflictChoice
          mine={plainWords(state.mine.feedback)}
          theirs={plainWords(state.theirs.feedback)}
          onChoose={draft.resolve}
          t={t}
        />
      )}
      {work.task.rubric.length > 0 && (
        <DeskRubric
          rubric={work.task.rubric}
          marks={value.rubricMarks}
          editable={editable}
          t={t}
          onMark={(rubricMarks) => change({ rubricMarks })}
        />
      )}
      {work.task.grading === 'points' && (
        <Field
          label={t('homework:desk.score', { max: work.task.maxPoints ?? 100 })}
          hint={work.task.passPoints === null ? undefined : t('homework:desk.pass', { pass: work.task.passPoints })}
          aside={
            sum !== null && sum !== value.score && editable ? (
              <button type="button" className="still-link text-sm" onClick={() => change({ score: sum })}>
                {t('homework:desk.takeSum', { sum })}
              </button>
            ) : undefined
          }
          type="number"
          inputMode="numeric"
          min={0}
          max={work.task.maxPoints ?? 1000}
          value={value.score ?? ''}
          disabled={!editable}
          onChange={(event) => change({ score: scoreOf(event.currentTarget.value) })}
        />
      )}
      <div data-key="f" className="grid gap-2">
        <RichText
          value={value.feedback ?? EMPTY_DOC}
          onChange={(feedback) =>
            change({ feedback: value.feedback === null && countWords(feedback) === 0 ? null : feedback })
          }
          label={t('homework:desk.feedback')}
          t={t}
          onBlur={draft.flush}
          disabled={!editable}
        />
        <SnippetMenu
          work={work}
          words={words}
          editable={editable}
          feedback={value.feedback}
          onTake={(feedback) => change({ feedback })}
        />
      </div>
      <VoiceComment
        work={work}
        words={words}
        editable={editable}
        fileId={value.voiceFileId}
        onVoice={(voiceFileId) => change({ voiceFileId })}
      />
      <fieldset className="grid gap-2" disabled={!editable}>
        <legend className="field-label mb-1.5">{t('homework:desk.verdict')}</legend>
        {VERDICTS.map((one) => (
          <label key={one} className="desk-choice" data-chosen={verdict === one}>
            <input
              type="radio"
              name="verdict"
              className="radio radio-sm"
              checked={verdict === one}
              data-key={LETTERS[one]}
              aria-keyshortcuts={LETTERS[one].toUpperCase()}
              onChange={() => {
                setVerdict(one)
                setTrouble(null)
              }}
            />
            <span>{t(`homework:desk.choose.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      {trouble && (
        <p role="alert" className="font-medium text-error text-sm">
          {trouble}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" busy={ending !== null} disabled={!editable} onClick={() => finish(verdict)}>
          {t('homework:desk.finish')}
        </Button>
        <button type="button" className="btn btn-ghost" onClick={() => void onShow(work.next)}>
          {t('homework:desk.skip')}
        </button>
        <button type="button" data-key="accept" hidden onClick={() => finish('accept')} />
      </div>
    </div>
  )
}

const LETTERS: Record<VerdictAction, string> = { accept: 'a', return: 'r', reject: 'x' }

const says = ({ feedback, voiceFileId, annotations }: ReviewDraft): boolean =>
  voiceFileId !== null || annotations.length > 0 || (feedback !== null && countWords(feedback) > 0)

const limits = ({ maxPoints, passPoints }: { maxPoints: number | null; passPoints: number | null }) => {
  return { max: maxPoints ?? 0, pass: passPoints ?? 0 }
}

function scoreOf(typed: string): number | null {
  const score = Number.parseInt(typed, 10)
  return Number.isNaN(score) ? null : Math.min(Math.max(score, 0), 1000)
}
