import { useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { RecordingProps } from './recording-props.ts'

/** Plays the recording back: use, record again, download or discard. */
export function RecordingReview({ recording, onUse, isFull, t, locale }: RecordingProps) {
  const { answer, state, sources } = recording
  const { file, source, uploadError, isAtLimit: full, isRestored: restored, isStored } = state
  const address = useObjectUrl(file)
  const video = useRef<HTMLVideoElement>(null)
  if (!file || !address) return null
  const again = async () => {
    await answer.discard()
    await answer.open(source)
  }
  const use = async () => {
    const recorded = await answer.use()
    if (recorded) onUse(recorded)
  }
  return (
    <>
      {restored && <p className="homework-note text-sm">{t('homework:record.status.restored')}</p>}
      {full && <p className="homework-note text-sm">{t('homework:record.status.full')}</p>}
      {uploadError && <p className="homework-note text-sm">{t('homework:record.notSent', { reason: uploadError })}</p>}
      {!isStored && <p className="homework-note text-sm">{t('homework:record.notKept')}</p>}
      {source === 'voice' ? (
        <audio controls src={address} className="w-full" aria-label={t('homework:record.result')}>
          <track kind="captions" />
        </audio>
      ) : (
        <video
          ref={video}
          controls
          playsInline
          src={address}
          className="record-picture"
          aria-label={t('homework:record.result')}
          onLoadedMetadata={() => findDuration(video.current)}
        >
          <track kind="captions" />
        </video>
      )}
      <p className="text-muted text-sm tabular">
        {file.name} · {formatBytes(file.size, locale)}
      </p>
      {isFull && <p className="field-error">{t('homework:record.noRoom')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button small tone="primary" data-main disabled={isFull} onClick={() => void use()}>
          {t('homework:record.use')}
        </Button>
        {sources.includes(source) && (
          <Button small onClick={() => void again()}>
            {t('homework:record.again')}
          </Button>
        )}
        <a className="btn btn-sm btn-ghost" href={address} download={file.name}>
          {t('homework:record.save')}
        </a>
        <Button small tone="quiet" onClick={() => void answer.discard()}>
          {t('homework:record.discard')}
        </Button>
      </div>
    </>
  )
}

function useObjectUrl(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const objectUrl = URL.createObjectURL(file)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  return address
}

/** Recordings contain no duration: browsers find it by seeking past the end. */
function findDuration(video: HTMLVideoElement | null): void {
  if (!video || Number.isFinite(video.duration)) return
  const back = () => {
    video.currentTime = 0
  }
  video.addEventListener('durationchange', back, { once: true })
  video.currentTime = 1e7
}
