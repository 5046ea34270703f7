import { Pause, Play, RotateCw, X } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { Upload, UploadStep } from '#islands/stores/upload/upload-list.ts'
import {
  cancelUpload,
  chooseDuplicate,
  pauseUpload,
  resumeUpload,
  resumeWithFile,
  retryUpload,
  uploadAnyway,
} from '#islands/stores/upload/uploads.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { statusText } from './upload-status.ts'

interface Props {
  upload: Upload
  t: Translate
  locale: Locale
}

const ACTIVE_STEPS: readonly UploadStep[] = ['waiting', 'uploading', 'offline', 'signedOut']
const STEPS_WITH_PROGRESS: readonly UploadStep[] = [...ACTIVE_STEPS, 'paused', 'finishing', 'processing', 'lost']

/** Errors that a retry with the same file does not solve. */
const FINAL_ERRORS = new Set(['invalid', 'wrong_type', 'too_large', 'unreadable'])

/** One upload: name, progress and actions. */
export function UploadRow({ upload, t, locale }: Props) {
  const { id, name, step } = upload
  const status = statusText(upload, t, locale)
  return (
    <li className="grid gap-1.5 px-4 py-3" data-step={step}>
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 truncate text-sm" title={name}>
          {name}
        </p>
        {ACTIVE_STEPS.includes(step) && (
          <ActionButton icon={Pause} label={t('storage:tray.pause', { name })} onAction={() => pauseUpload(id)} />
        )}
        {step === 'paused' && (
          <ActionButton icon={Play} label={t('storage:tray.resume', { name })} onAction={() => resumeUpload(id)} />
        )}
        {step === 'failed' && !FINAL_ERRORS.has(upload.failure?.code ?? '') && (
          <ActionButton icon={RotateCw} label={t('storage:tray.retry', { name })} onAction={() => retryUpload(id)} />
        )}
        {step !== 'finishing' && (
          <ActionButton
            icon={X}
            label={t(`storage:tray.${hasEnded(step) ? 'hide' : 'cancel'}`, { name })}
            onAction={() => cancelUpload(id)}
          />
        )}
      </div>
      {STEPS_WITH_PROGRESS.includes(step) && (
        <UploadProgress upload={upload} label={t('storage:tray.progress', { name })} />
      )}
      <p className={`text-xs ${step === 'failed' ? 'text-error' : 'text-muted'}`}>{status}</p>
      {step === 'duplicate' && (
        <ButtonRow>
          <Button small tone="primary" onClick={() => chooseDuplicate(id)}>
            {t('storage:tray.useDuplicate')}
          </Button>
          <Button small onClick={() => uploadAnyway(id)}>
            {t('storage:tray.uploadAnyway')}
          </Button>
        </ButtonRow>
      )}
      {step === 'signedOut' && (
        <ButtonRow>
          <a className="btn btn-sm" href="/login" target="_blank" rel="noreferrer">
            {t('storage:tray.signIn')}
          </a>
        </ButtonRow>
      )}
      {step === 'lost' && (
        <ButtonRow>
          <label className="btn btn-sm focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2">
            {t('storage:tray.pick')}
            <input
              type="file"
              className="sr-only"
              aria-label={t('storage:tray.pickOf', { name })}
              onChange={({ target }) => {
                const file = target.files?.[0]
                if (file) void resumeWithFile(id, file)
                target.value = ''
              }}
            />
          </label>
        </ButtonRow>
      )}
    </li>
  )
}

const hasEnded = (step: UploadStep): boolean => step === 'done' || step === 'failed' || step === 'processing'

function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-2 pt-1">{children}</div>
}

interface ActionButtonProps {
  icon: ComponentType<{ size: number; strokeWidth: number }>
  label: string
  onAction: () => unknown
}

function ActionButton({ icon: Icon, label, onAction }: ActionButtonProps) {
  return (
    <Button
      tone="quiet"
      small
      className="btn-square"
      aria-label={label}
      title={label}
      onClick={() => void onAction()}
      icon={<Icon size={18} strokeWidth={1.75} />}
    />
  )
}

function UploadProgress({
  upload: { step, sentBytes: sent, size, progress },
  label,
}: {
  upload: Upload
  label: string
}) {
  const percent = step === 'processing' ? progress : size === 0 ? 0 : Math.floor((sent / size) * 100)
  const tone = step === 'processing' ? 'progress-success' : step === 'uploading' ? 'progress-primary' : ''
  return <progress className={`progress ${tone} h-1.5 w-full`} aria-label={label} max={100} value={percent} />
}
