import { Mic, Square } from 'lucide-react'
import { lazy, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { canRecord, clockOf } from '../recording/recorder.ts'
import { type Recording, record, VOICE_SECONDS } from '../recording/voice-recorder.ts'
import { uploadVoice } from '../recording/voice-upload.ts'
import { DeskLater } from './ClientOnly.tsx'
import type { DeskWords, Work } from './reviewed-submission.ts'

const DeskFilm = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  work: Work
  words: DeskWords
  editable: boolean
  fileId: string | null
  onVoice: (fileId: string | null) => void
}

type Step =
  | { kind: 'idle' }
  | { kind: 'recording' }
  | { kind: 'sending'; blob: Blob }
  | { kind: 'failed'; blob: Blob | null; why: string }

/** A comment by voice: recorded here, sent to the school's storage, and played back. A failed sending loses nothing. */
export function VoiceComment({ work, words, editable, fileId, onVoice }: Props) {
  const { t } = words
  const [step, setStep] = useState<Step>({ kind: 'idle' })
  const [seconds, setSeconds] = useState(0)
  const [heard, setHeard] = useState<string | null>(null)
  const running = useRef<Recording | null>(null)
  useEffect(() => () => running.current?.stop(), [])
  useEffect(() => (heard ? () => URL.revokeObjectURL(heard) : undefined), [heard])
  const send = async (blob: Blob) => {
    setStep({ kind: 'sending', blob })
    try {
      const sent = await uploadVoice(work.id, blob)
      setHeard(URL.createObjectURL(blob))
      setStep({ kind: 'idle' })
      onVoice(sent)
    } catch {
      setStep({ kind: 'failed', blob, why: t('homework:voice.notSent') })
    }
  }
  const begin = async () => {
    setSeconds(0)
    const recording = await record(setSeconds).catch(() => null)
    if (!recording) return setStep({ kind: 'failed', blob: null, why: t('homework:voice.noMicrophone') })
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
          {heard ? (
            <audio controls src={heard} className="w-full" aria-label={t('homework:voice.label')}>
              <track kind="captions" />
            </audio>
          ) : (
            <DeskLater>
              <DeskFilm submissionId={work.id} fileId={fileId} words={words} />
            </DeskLater>
          )}
          <Button small tone="quiet" disabled={!editable} className="justify-self-start" onClick={() => onVoice(null)}>
            {t('homework:voice.remove')}
          </Button>
        </div>
      )}
      {!fileId && step.kind === 'idle' && (
        <Button
          small
          disabled={!editable || !canRecord()}
          className="justify-self-start"
          data-key="v"
          aria-keyshortcuts="V"
          icon={<Mic size={18} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void begin()}
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
            {clockOf(seconds)} / {clockOf(VOICE_SECONDS)}
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
          {step.why}
          <Button small onClick={() => void (step.blob ? send(step.blob) : begin())}>
            {t('shell:button.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}
