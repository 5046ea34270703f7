import { Download } from 'lucide-react'
import { lazy } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import { AnnotatedPicture } from '../annotation/AnnotatedPicture.tsx'
import { ClientOnly } from './ClientOnly.tsx'
import { RenderedText } from './RenderedText.tsx'
import { currentAttempt, type ReviewedSubmission, type ReviewI18n, type SubmissionFile } from './reviewed-submission.ts'

const AnnotatePdf = lazy(() => import('../annotation/AnnotatedPdf.tsx'))
const SubmissionPlayer = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  submission: ReviewedSubmission
  i18n: ReviewI18n
  annotations: Annotation[]
  /** Null: read-only. */
  onAnnotate: ((annotations: Annotation[]) => void) | null
}

/** The submitted answer. */
export function ReviewAnswer({ submission, i18n, annotations, onAnnotate }: Props) {
  const { t } = i18n
  const attempt = currentAttempt(submission)
  if (!attempt) return null
  return (
    <section className="grid gap-4" aria-labelledby="review-answer">
      <h2 id="review-answer" className="font-semibold text-lg">
        {t('homework:review.answer')}
      </h2>
      {attempt.text === '' && attempt.files.length === 0 && (
        <p className="text-muted">{t('homework:review.noAnswer')}</p>
      )}
      {attempt.text !== '' && <p className="review-text">{attempt.text}</p>}
      {attempt.files.map((file) => (
        <AnswerFile
          key={file.id}
          file={file}
          submission={submission}
          i18n={i18n}
          onAnnotate={onAnnotate}
          annotations={annotations}
        />
      ))}
      <details className="review-task">
        <summary>{t('homework:review.task')}</summary>
        <RenderedText html={submission.task.instructions} />
        {submission.task.sampleAnswer && (
          <>
            <h3 className="mt-4 font-semibold text-sm">{t('homework:review.sample')}</h3>
            <RenderedText html={submission.task.sampleAnswer} />
          </>
        )}
      </details>
    </section>
  )
}

function AnswerFile({ file, submission, i18n, annotations, onAnnotate }: Props & { file: SubmissionFile }) {
  const { t, locale } = i18n
  const marks = { fileId: file.id, annotations, onAnnotate, i18n }
  const waiting = <Skeleton shape="lines" count={4} label={t('homework:review.loading')} />
  return (
    <figure className="review-file">
      <figcaption className="review-file-name">
        <span className="min-w-0 truncate">{file.name}</span>
        <span className="flex-none text-muted tabular">{formatBytes(file.size, locale)}</span>
        <a href={file.download} className="btn btn-ghost btn-sm" data-astro-reload>
          <Download size={18} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">{t('homework:review.download', { name: file.name })}</span>
        </a>
      </figcaption>
      {file.picture && <AnnotatedPicture {...marks} picture={file.picture} name={file.name} />}
      <ClientOnly waiting={waiting}>
        {file.mime === 'application/pdf' && <AnnotatePdf {...marks} address={file.address} name={file.name} />}
        {(file.kind === 'video' || file.kind === 'audio') && (
          <SubmissionPlayer submissionId={submission.id} fileId={file.id} i18n={i18n} />
        )}
      </ClientOnly>
    </figure>
  )
}
