import { lazy } from 'react'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { DeskLater } from './ClientOnly.tsx'
import { DeskText } from './RenderedText.tsx'
import type { Attempt, DeskWords, Work } from './reviewed-submission.ts'

const DeskFilm = lazy(() => import('./SubmissionPlayer.tsx'))

/** The student's other attempts at the task, as they were judged, and what has happened to this one. */
export function DeskHistory({ work, words }: { work: Work; words: DeskWords }) {
  const { t, locale, zone } = words
  const others = work.attempts.filter(({ id }) => id !== work.id)
  return (
    <section className="grid gap-4" aria-labelledby={others.length > 0 ? 'desk-history' : 'desk-events'}>
      {others.length > 0 && (
        <>
          <h2 id="desk-history" className="font-semibold text-lg">
            {t('homework:desk.attempts')}
          </h2>
          <ol className="grid gap-3">
            {others.map((one) => (
              <li key={one.id}>
                <Earlier attempt={one} words={words} />
              </li>
            ))}
          </ol>
        </>
      )}
      <details className="desk-task">
        <summary id="desk-events">{t('homework:desk.events')}</summary>
        <ul className="grid gap-1 text-sm">
          {work.events.map(({ event, at, by }) => (
            <li key={`${event} ${at}`} className="flex flex-wrap justify-between gap-x-4">
              <span>{t(`homework:event.${event}`, { name: by })}</span>
              <span className="text-muted">{formatRelativeDateTime(at, zone, locale)}</span>
            </li>
          ))}
          {work.events.length === 0 && <li className="text-muted">{t('homework:desk.noEvents')}</li>}
        </ul>
      </details>
    </section>
  )
}

function Earlier({ attempt, words }: { attempt: Attempt; words: DeskWords }) {
  const { t, locale, zone } = words
  return (
    <details className="desk-task">
      <summary>
        {t('homework:desk.attempt', { number: attempt.attempt })}
        {' · '}
        {t(`homework:state.${attempt.state}`)}
        {attempt.reviewedAt && ` · ${formatRelativeDateTime(attempt.reviewedAt, zone, locale)}`}
      </summary>
      <div className="grid gap-3">
        {attempt.text && <p className="desk-text">{attempt.text}</p>}
        {attempt.files.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {attempt.files.map((file) => (
              <li key={file.id}>
                <a href={file.address} target="_blank" rel="noopener" className="still-link">
                  {file.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        {attempt.feedback && (
          <div className="desk-feedback">
            <p className="text-muted text-sm">{t('homework:desk.feedbackOf', { name: attempt.by ?? '' })}</p>
            <DeskText html={attempt.feedback} />
          </div>
        )}
        {attempt.annotations.map((mark, index) => (
          <p key={mark.id} className="text-sm">
            {t('homework:mark.number', { number: index + 1 })}: {mark.text}
          </p>
        ))}
        {attempt.voiceFileId && (
          <DeskLater>
            <DeskFilm submissionId={attempt.id} fileId={attempt.voiceFileId} words={words} />
          </DeskLater>
        )}
      </div>
    </details>
  )
}
