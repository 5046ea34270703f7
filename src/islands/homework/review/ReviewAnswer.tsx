import { Download } from 'lucide-react'
import { lazy } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import { AnnotatePicture } from '../annotation/AnnotatedPicture.tsx'
import { DeskLater } from './ClientOnly.tsx'
import { DeskText } from './RenderedText.tsx'
import { type DeskFile, type DeskWords, onDesk, type Work } from './reviewed-submission.ts'

const AnnotatePdf = lazy(() => import('../annotation/AnnotatedPdf.tsx'))
const DeskFilm = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  work: Work
  words: DeskWords
  annotations: Annotation[]
  /** Null: they are only looked at. */
  onAnnotate: ((annotations: Annotation[]) => void) | null
}

/** What the student has handed in. */
export function DeskAnswer({ work, words, annotations, onAnnotate }: Props) {
  const { t } = words
  const attempt = onDesk(work)
  if (!attempt) return null
  return (
    <section className="grid gap-4" aria-labelledby="desk-answer">
      <h2 id="desk-answer" className="font-semibold text-lg">
        {t('homework:desk.answer')}
      </h2>
      {attempt.text === '' && attempt.files.length === 0 && <p className="text-muted">{t('homework:desk.noAnswer')}</p>}
      {attempt.text !== '' && <p className="desk-text">{attempt.text}</p>}
      {attempt.files.map((file) => (
        <File key={file.id} file={file} work={work} words={words} onAnnotate={onAnnotate} annotations={annotations} />
      ))}
      <details className="desk-task">
        <summary>{t('homework:desk.task')}</summary>
        <DeskText html={work.task.instructions} />
        {work.task.sampleAnswer && (
          <>
            <h3 className="mt-4 font-semibold text-sm">{t('homework:desk.sample')}</h3>
            <DeskText html={work.task.sampleAnswer} />
          </>
        )}
      </details>
    </section>
  )
}

function File({ file, work, words, annotations, onAnnotate }: Props & { file: DeskFile }) {
  const { t, locale } = words
  const marks = { fileId: file.id, annotations, onAnnotate, words }
  const waiting = <Skeleton shape="lines" count={4} label={t('homework:desk.loading')} />
  return (
    <figure className="desk-file">
      <figcaption className="desk-file-name">
        <span className="min-w-0 truncate">{file.name}</span>
        <span className="flex-none text-muted tabular">{formatBytes(file.size, locale)}</span>
        <a href={file.download} className="btn btn-ghost btn-sm" data-astro-reload>
          <Download size={18} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">{t('homework:desk.download', { name: file.name })}</span>
        </a>
      </figcaption>
      {file.picture && <AnnotatePicture {...marks} picture={file.picture} name={file.name} />}
      <DeskLater waiting={waiting}>
        {file.mime === 'application/pdf' && <AnnotatePdf {...marks} address={file.address} name={file.name} />}
        {(file.kind === 'video' || file.kind === 'audio') && (
          <DeskFilm submissionId={work.id} fileId={file.id} words={words} />
        )}
      </DeskLater>
    </figure>
  )
}
