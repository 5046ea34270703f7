import { Mic, Pause, Play, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatRecordingDuration } from './format-duration.ts'
import { remainingSeconds } from './recording-limit.ts'
import type { RecordingProps } from './recording-props.ts'
import type { RecordingState } from './recording-state.ts'

/** A running recording: preview, time, remaining time and upload progress. */
export function RecordingInProgress({ recording, maxBytes, t, locale }: RecordingProps) {
  const { answer, state } = recording
  const { step, source, seconds, bytes, sent, waitingFor: waitReason, uploadError, isStored } = state
  const left = formatRecordingDuration(remainingSeconds({ source, seconds, bytes, maxBytes }), locale)
  const paused = step === 'paused'
  return (
    <>
      {source === 'voice' ? (
        <Mic size={32} strokeWidth={1.75} aria-hidden="true" className={paused ? 'text-muted' : 'text-error'} />
      ) : (
        <CameraPreview state={state} t={t} />
      )}
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="record-dot" data-paused={paused} aria-hidden="true" />
        <span role="timer" aria-label={t('homework:record.elapsed')} className="font-semibold tabular">
          {formatClock(seconds)}
        </span>
        <span>{paused ? t('homework:record.paused') : t('homework:record.left', { time: left })}</span>
        <span className="text-muted tabular">
          {t('homework:record.amount', { size: formatBytes(bytes, locale), sent: formatBytes(sent, locale) })}
        </span>
      </p>
      {waitReason && !uploadError && <p className="text-muted text-sm">{t(`homework:record.want.${waitReason}`)}</p>}
      {uploadError && <p className="text-sm">{t('homework:record.notSent', { reason: uploadError })}</p>}
      {!isStored && <p className="text-sm">{t('homework:record.notKept')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          small
          data-main
          icon={paused ? <Play size={18} aria-hidden="true" /> : <Pause size={18} aria-hidden="true" />}
          onClick={paused ? answer.resume : answer.pause}
        >
          {t(paused ? 'homework:record.resume' : 'homework:record.pause')}
        </Button>
        <Button small tone="danger" icon={<Square size={16} aria-hidden="true" />} onClick={answer.stop}>
          {t('homework:record.stop')}
        </Button>
      </div>
    </>
  )
}

/** Preview of the camera or screen; the front camera is mirrored. */
export function CameraPreview({ state, t }: { state: RecordingState; t: Translate }) {
  const video = useRef<HTMLVideoElement>(null)
  const { stream, source, facing } = state
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return (
    <video
      ref={video}
      muted
      autoPlay
      playsInline
      className="record-picture"
      data-mirrored={source === 'camera' && facing === 'user'}
      aria-label={t('homework:record.picture')}
    />
  )
}
