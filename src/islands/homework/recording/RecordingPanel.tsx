import { Mic, MonitorUp, SwitchCamera, Video } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RecordingSource } from './capture.ts'
import { formatRecordingDuration } from './format-duration.ts'
import { CameraPreview, RecordingInProgress } from './RecordingInProgress.tsx'
import { RecordingReview } from './RecordingReview.tsx'
import { remainingSeconds } from './recording-limit.ts'
import type { RecordingProps } from './recording-props.ts'
import type { RecordingStep } from './recording-state.ts'

const ICONS = { camera: Video, screen: MonitorUp, voice: Mic }

/**
 * Records an answer: camera, screen or voice. It is played back before it becomes a file of the answer. `isRequested`:
 * requested on the plain form.
 */
export function RecordingPanel({ isRequested, ...props }: RecordingProps & { isRequested: boolean }) {
  const { recording, t } = props
  const { state, sources } = recording
  const group = useRef<HTMLFieldSetElement>(null)
  useFocusOnStep(group, state.step)
  const [firstSource] = sources
  useEffect(() => {
    if (isRequested && firstSource) group.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  }, [isRequested, firstSource])
  if (sources.length === 0 && state.step === 'idle') return null
  return (
    <fieldset ref={group} className="record grid min-w-0 gap-3">
      <legend className="sr-only">{t('homework:record.label')}</legend>
      <p role="status" className="sr-only">
        {announcement(state, t)}
      </p>
      {(state.step === 'idle' || state.step === 'refused') && <SourceChoice {...props} />}
      {state.step === 'asking' && <p className="text-muted text-sm">{t('homework:record.asking')}</p>}
      {state.step === 'ready' && state.source !== 'voice' && <RecordingPreview {...props} />}
      {(state.step === 'recording' || state.step === 'paused') && <RecordingInProgress {...props} />}
      {state.step === 'saving' && <p className="text-muted text-sm">{t('homework:record.saving')}</p>}
      {state.step === 'review' && <RecordingReview {...props} />}
    </fieldset>
  )
}

function SourceChoice({ recording, maxBytes, isFull, t, locale }: RecordingProps) {
  const { answer, state, sources } = recording
  const [first = 'camera'] = sources
  const longest = remainingSeconds({ source: first, seconds: 0, bytes: 0, maxBytes })
  const limit = { size: formatBytes(maxBytes, locale), time: formatRecordingDuration(longest, locale) }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {sources.map((source) => (
          <SourceButton key={source} source={source} disabled={isFull} t={t} onOpen={answer.open} />
        ))}
      </div>
      {state.step === 'refused' && state.failure && (
        <p role="alert" className="field-error">
          {t(`homework:record.failure.${state.failure}`)} {state.failure === 'denied' && t('homework:record.allow')}
        </p>
      )}
      <p className="field-hint">{isFull ? t('homework:record.noRoom') : t('homework:record.limit', limit)}</p>
    </>
  )
}

interface SourceProps {
  source: RecordingSource
  disabled: boolean
  t: Translate
  onOpen: (source: RecordingSource) => Promise<void>
}

function SourceButton({ source, disabled, t, onOpen }: SourceProps) {
  const Icon = ICONS[source]
  return (
    <Button
      small
      disabled={disabled}
      data-source={source}
      icon={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => void onOpen(source)}
    >
      {t(`homework:record.from.${source}`)}
    </Button>
  )
}

/** Camera preview before the recording, with the choice of the camera. */
function RecordingPreview({ recording, t }: RecordingProps) {
  const { answer, state } = recording
  return (
    <>
      <CameraPreview state={state} t={t} />
      {!state.hasSound && <p className="homework-note text-sm">{t('homework:record.silent')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button small tone="primary" data-main onClick={answer.start}>
          {t('homework:record.start')}
        </Button>
        {state.cameras > 1 && (
          <Button
            small
            icon={<SwitchCamera size={18} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => void answer.switchCamera()}
          >
            {t('homework:record.switch')}
          </Button>
        )}
        <Button small tone="quiet" onClick={() => void answer.discard()}>
          {t('homework:record.cancel')}
        </Button>
      </div>
    </>
  )
}

function announcement(
  { step, isAtLimit: full, isRestored: restored }: RecordingProps['recording']['state'],
  t: Translate,
): string {
  if (step === 'review') return t(`homework:record.status.${full ? 'full' : restored ? 'restored' : 'review'}`)
  if (step === 'ready' || step === 'recording' || step === 'paused') return t(`homework:record.status.${step}`)
  return ''
}

/** The clicked button disappears with its step: the focus moves to the first button of the next one. */
function useFocusOnStep(group: { current: HTMLFieldSetElement | null }, step: RecordingStep): void {
  const before = useRef(step)
  useEffect(() => {
    const [from, lost] = [before.current, document.activeElement === document.body]
    before.current = step
    if (from === step || !lost) return
    const next = group.current?.querySelector<HTMLElement>('[data-main]')
    const button = next ?? group.current?.querySelector<HTMLElement>('button:enabled')
    button?.focus()
  }, [group, step])
}
