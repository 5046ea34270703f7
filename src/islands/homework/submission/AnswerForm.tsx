import type { FormEvent, ReactNode, RefObject, TextareaHTMLAttributes } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { ANSWER_LIMIT } from '#lib/homework/submission/schema.ts'
import type { SubmissionProps } from './submission-props.ts'

interface Props {
  own: Pick<SubmissionProps, 'taskId' | 'attempt' | 'again'>
  t: Translate
  /** Value and handlers of the text field. */
  field: TextareaHTMLAttributes<HTMLTextAreaElement>
  formRef?: RefObject<HTMLFormElement | null>
  onSubmit?: (event: FormEvent) => void
  isBusy?: boolean
  /** Shown above the text: a conflict or a refusal. */
  notice?: ReactNode
  /** State of the draft, next to the label. */
  saveState?: ReactNode
  /** The files of the answer. */
  files: ReactNode
  /** State of the submission, above the buttons. */
  status?: ReactNode
  /** A second button. */
  action?: ReactNode
}

/** The form of an answer: rendered by the server as a plain form, in the island with drafts and uploads. */
export function AnswerForm({ own, t, field, formRef, onSubmit, isBusy = false, ...parts }: Props) {
  return (
    <form ref={formRef} method="post" className="grid gap-4" onSubmit={onSubmit}>
      <input type="hidden" name="intent" value="submitHomework" />
      <input type="hidden" name="taskId" value={own.taskId} />
      <input type="hidden" name="attempt" value={own.attempt} />
      {parts.notice}
      <TextArea
        name="text"
        label={t('homework:form.answer')}
        hint={t('homework:form.hint')}
        aside={parts.saveState}
        maxLength={ANSWER_LIMIT}
        rows={5}
        className="homework-answer"
        {...field}
      />
      {parts.files}
      {parts.status}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" busy={isBusy}>
          {t(own.again ? 'homework:form.again' : 'homework:form.submit')}
        </Button>
        {parts.action}
      </div>
    </form>
  )
}
