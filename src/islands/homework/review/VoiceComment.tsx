import { Mic, Square } from 'lucide-react'
import { lazy, useEffect, useRef, useState } from 'react'
import { canRecordInBrowser } from '#islands/broadcast/recorder.ts'
import { MAX_VOICE_SECONDS, recordVoice, type VoiceRecording } from '#islands/broadcast/voice-recorder.ts'
import { Button } from '#islands/ui/Button.tsx'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import { uploadVoice } from '../recording/voice-upload.ts'
import { ClientOnly } from './ClientOnly.tsx'
import type { ReviewedSubmission, ReviewI18n } from './reviewed-submission.ts'

const SubmissionPlayer = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  submission: ReviewedSubmission
  i18n: ReviewI18n
  editable: boolean
  fileId: string | null
  onVoice: (fileId: string | null) => void
}

type VoiceStep =
  | { kind: 'idle' }
  | { kind: 'recording' }
  | { kind: 'sending'; blob: Blob }
  | { kind: 'failed'; blob: Blob | null; reason: string }

/** A voice comment: recorded, uploaded and played back. A failed upload keeps the recording. */
export function VoiceComment({ submission, i18n, editable, fileId, onVoice }: Props) {
  const { t } = i18n
  const [step, setStep] = useState<VoiceStep>({ kind: 'idle' })
  const [seconds, setSeconds] = useState(0)
  const [audioUrl, setAudioUrl] = useState<string | null>(null)
  const running = useRef<VoiceRecording | null>(null)
  useEffect(() => () => running.current?.stop(), [])
  useEffect(() => (audioUrl ? () => URL.revokeObjectURL(audioUrl) : undefined), [audioUrl])
  const send = async (blob: Blob) => {
    setStep({ kind: 'sending', blob })
    try {
      const sent = await uploadVoice(submission.id, blob)
      setAudioUrl(URL.createObjectURL(blob))
      setStep({ kind: 'idle' })
      onVoice(sent)
    } catch {
      setStep({ kind: 'failed', blob, reason: t('homework:voice.notSent') })
    }
  }
  const startRecording = async () => {
    setSeconds(0)
    const recording = await recordVoice(setSeconds).catch(() => null)
    if (!recording) return setStep({ kind: 'failed', blob: null, reason: t('homework:voice.noMicrophone') })
    running.current = recording
    setStep({ kind: 'recording' })
    void recording.done.then((blob) => {
      running.current = null
      void send(blob)
    })
  }
  return (
    <div className="grid gap-2">
      <span className="field-label">{t('homework:voice.label')}</span>
      {fileId && step.kind === 'idle' && (
        <div className="grid gap-2">
          {audioUrl ? (
            <audio controls src={audioUrl} className="w-full" aria-label={t('homework:voice.label')}>
              <track kind="captions" />
            </audio>
          ) : (
            <ClientOnly>
              <SubmissionPlayer submissionId={submission.id} fileId={fileId} i18n={i18n} />
            </ClientOnly>
          )}
          <Button small tone="quiet" disabled={!editable} className="justify-self-start" onClick={() => onVoice(null)}>
            {t('homework:voice.remove')}
          </Button>
        </div>
      )}
      {!fileId && step.kind === 'idle' && (
        <Button
          small
          disabled={!editable || !canRecordInBrowser()}
          className="justify-self-start"
          data-key="v"
          aria-keyshortcuts="V"
          icon={<Mic size={18} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void startRecording()}
        >
          {t('homework:voice.record')}
        </Button>
      )}
      {step.kind === 'recording' && (
        <div className="flex items-center gap-3">
          <Button
            small
            tone="danger"
            data-key="v"
            aria-keyshortcuts="V"
            icon={<Square size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => running.current?.stop()}
          >
            {t('homework:voice.stop')}
          </Button>
          <span role="timer" className="tabular text-sm">
            {formatClock(seconds)} / {formatClock(MAX_VOICE_SECONDS)}
          </span>
        </div>
      )}
      {step.kind === 'sending' && (
        <p role="status" className="text-muted text-sm">
          {t('homework:voice.sending')}
        </p>
      )}
      {step.kind === 'failed' && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-error text-sm">
          {step.reason}
          <Button small onClick={() => void (step.blob ? send(step.blob) : startRecording())}>
            {t('shell:button.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}
