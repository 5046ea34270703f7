import { Clock, SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_VOICE_SECONDS, recordVoice, type VoiceRecording } from '#islands/broadcast/voice-recorder.ts'
import { Button } from '#islands/ui/Button.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  onRecorded(voice: Blob): void
  /** It has ended with a recording that is to be sent later; absent where that is not offered. */
  onLater?: ((voice: Blob) => void) | undefined
  /** Without a reason when it was canceled. */
  onEnd(reason?: string): void
  t: Translate
}

/** Records a voice message until it is sent, canceled (Escape) or as long as it may be. */
export function VoiceRecorder({ onRecorded, onLater, onEnd, t }: Props) {
  const [seconds, setSeconds] = useState<number | null>(null)
  const recording = useRef<VoiceRecording>(null)
  const isCanceled = useRef(false)
  const isForLater = useRef(false)
  const sendButton = useRef<HTMLDivElement>(null)
  const isRecording = seconds !== null
  const finish = useRef({ onRecorded, onLater, onEnd, t })
  finish.current = { onRecorded, onLater, onEnd, t }
  useEffect(() => {
    isCanceled.current = false
    recordVoice(setSeconds).then(
      (started) => {
        // It was closed while the browser asked for permission.
        if (isCanceled.current) return started.stop()
        recording.current = started
        setSeconds(0)
        void started.done.then((voice) => {
          if (isCanceled.current) return
          if (voice.size > 0 && isForLater.current) return finish.current.onLater?.(voice)
          if (voice.size > 0) finish.current.onRecorded(voice)
          finish.current.onEnd()
        })
      },
      () => finish.current.onEnd(finish.current.t('chat:voice.noMicrophone')),
    )
    return () => {
      isCanceled.current = true
      recording.current?.stop()
    }
  }, [])
  useEffect(() => {
    if (isRecording) sendButton.current?.querySelector('button')?.focus()
  }, [isRecording])
  const cancel = () => {
    isCanceled.current = true
    recording.current?.stop()
    onEnd()
  }
  return (
    <fieldset
      className="chat-voice"
      aria-label={t('chat:voice.label')}
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      <span className="chat-voice-mark" aria-hidden="true" />
      <span role="timer" className="tabular flex-1 text-sm">
        {isRecording ? `${formatClock(seconds)} / ${formatClock(MAX_VOICE_SECONDS)}` : t('chat:voice.starting')}
      </span>
      <Button tone="quiet" onClick={cancel}>
        {t('chat:voice.cancel')}
      </Button>
      {onLater && isRecording && (
        <IconButton
          icon={Clock}
          label={t('chat:scheduled.open')}
          onClick={() => {
            isForLater.current = true
            recording.current?.stop()
          }}
        />
      )}
      <div ref={sendButton}>
        <Button
          tone="primary"
          disabled={!isRecording}
          icon={<SendHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => recording.current?.stop()}
        >
          {t('chat:voice.send')}
        </Button>
      </div>
    </fieldset>
  )
}
