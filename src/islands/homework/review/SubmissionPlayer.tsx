import { useEffect, useState } from 'react'
import Player from '#islands/player/Player.tsx'
import { api } from '#islands/stores/api.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { ReviewI18n } from './reviewed-submission.ts'

interface Props {
  submissionId: string
  fileId: string
  i18n: ReviewI18n
}

/** Plays a video or audio file of a submission. */
export default function SubmissionPlayer({ submissionId, fileId, i18n }: Props) {
  const { t, strings, locale } = i18n
  const [view, setView] = useState<PlaybackView | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let current = true
    api.homework.getPlayback({ submissionId, fileId }, { context: { isQuiet: true } }).then(
      (loadedView) => current && setView(loadedView),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [submissionId, fileId])
  if (failed) return <p role="alert">{t('homework:review.videoFailed')}</p>
  if (!view) return <Skeleton shape="lines" label={t('homework:review.loading')} />
  return (
    <div className="w-full">
      <Player view={view} strings={strings} locale={locale} />
    </div>
  )
}
