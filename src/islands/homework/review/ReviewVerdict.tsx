import { lazy, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { DeskLater } from './ClientOnly.tsx'
import { DeskText } from './RenderedText.tsx'
import { type DeskWords, onDesk, type Work } from './reviewed-submission.ts'
import type { DeskState } from './use-review-lock.ts'

const DeskFilm = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  work: Work
  words: DeskWords
  desk: DeskState
  writes: boolean
}

/** What was decided, and the way back. */
export function DeskVerdict({ work, words, desk, writes }: Props) {
  const { t, locale, zone } = words
  const [busy, setBusy] = useState(false)
  const attempt = onDesk(work)
  if (!attempt) return null
  const reopen = async () => {
    setBusy(true)
    try {
      await api.homework.reopen({ submissionId: work.id })
      await desk.reload()
      await desk.open()
    } catch (error) {
      const failure = CallError.from(error)
      if (!failure.unexpected) showFailure(failure.fields.form?.[0] ?? failure.message)
    }
    setBusy(false)
  }
  return (
    <div className="grid gap-4">
      <h2 className="font-semibold text-lg">{t(`homework:state.${attempt.state}`)}</h2>
      {attempt.reviewedAt && (
        <p className="text-muted text-sm">
          {t('homework:desk.judgedBy', {
            name: attempt.by ?? '',
            at: formatRelativeDateTime(attempt.reviewedAt, zone, locale),
          })}
        </p>
      )}
      {attempt.score !== null && (
        <p className="tabular">
          {t('homework:desk.points', { score: attempt.score, max: work.task.maxPoints ?? attempt.score })}
        </p>
      )}
      {attempt.feedback && <DeskText html={attempt.feedback} />}
      {attempt.voiceFileId && (
        <DeskLater>
          <DeskFilm submissionId={work.id} fileId={attempt.voiceFileId} words={words} />
        </DeskLater>
      )}
      {writes && (
        <Button busy={busy} onClick={() => void reopen()} className="justify-self-start">
          {t('homework:desk.reopen')}
        </Button>
      )}
    </div>
  )
}
