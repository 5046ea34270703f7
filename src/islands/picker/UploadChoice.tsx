import { useStore } from '@nanostores/react'
import { Upload } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles, chooseDuplicate, retryUpload, uploadAnyway } from '#islands/stores/upload/uploads.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ProgressBar } from '#islands/ui/Progress.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type PickedFile, whenStored } from './stored-file.ts'
import { matchesKinds, type PickKind } from './use-file-list.ts'
import { type Conversion, isPresentation, usePresentation } from './use-presentation.ts'

interface Props {
  kinds: readonly PickKind[]
  onArrived: (file: PickedFile) => void
  t: Translate
}

const ACCEPT: Record<PickKind, string> = {
  image: 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/heic,image/heif',
  video: 'video/*,.mkv,.mov',
  audio: 'audio/*',
  pdf: 'application/pdf',
  file: '',
}

/** Uploads a file with the tray and chooses it afterwards. Closing the dialog leaves the upload to the tray. */
export function UploadChoice({ kinds, onArrived, t }: Props) {
  const [uploadId, setUploadId] = useState<string | null>(null)
  const [wrongFileName, setWrongFileName] = useState('')
  const { conversion, convert, reset } = usePresentation(onArrived)
  const latest = useRef(onArrived)
  latest.current = onArrived
  const inputId = useId()
  const kindList = kinds.join(' ')

  useEffect(() => {
    if (!uploadId) return
    return whenStored(uploadId, (file) => {
      setUploadId(null)
      const fits = file && matchesKinds(file, kindList.split(' ') as PickKind[])
      if (fits) latest.current(file)
      else if (file) setWrongFileName(file.name)
    })
  }, [uploadId, kindList])

  const startUpload = (file: File | undefined) => {
    setWrongFileName('')
    reset()
    // It could not be shown as it is: converted, or refused before it is uploaded.
    if (file && isPresentation(file.name, kinds)) void convert(file)
    else if (file) setUploadId(addFiles([{ file }])[0] ?? null)
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={inputId} className="btn justify-self-start">
        <Upload size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('editor:pick.upload')}
        <input
          id={inputId}
          type="file"
          className="sr-only"
          accept={kinds.includes('file') ? undefined : kinds.map((kind) => ACCEPT[kind]).join(',')}
          onChange={(event) => {
            startUpload(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      {wrongFileName && (
        <p role="alert" className="field-error">
          {t('editor:pick.otherKind', { name: wrongFileName })}
        </p>
      )}
      {conversion && <ConversionStatus conversion={conversion} t={t} />}
      {uploadId && <UploadStatus uploadId={uploadId} t={t} />}
    </div>
  )
}

/** Progress of the conversion of a presentation, or why there is no PDF. */
export function ConversionStatus({ conversion, t }: { conversion: Conversion; t: Translate }) {
  const { name, step, uploadId } = conversion
  if (step === 'uploading') return uploadId && <UploadStatus uploadId={uploadId} t={t} />
  if (step === 'converting') {
    return (
      <div role="status">
        <ProgressBar share={null} label={t('editor:pick.converting', { name })} />
      </div>
    )
  }
  return (
    <p role="alert" className="field-error">
      {t(step === 'failed' ? 'editor:pick.notConverted' : 'editor:pick.presentation', { name })}
    </p>
  )
}

/** Progress of an upload, and questions about it. */
export function UploadStatus({ uploadId, t }: { uploadId: string; t: Translate }) {
  const upload = useStore($uploads).find(({ id }) => id === uploadId)
  if (!upload) return null
  const { step, name, sentBytes: sent, size, duplicate, failure: uploadFailure } = upload
  if (step === 'duplicate') {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span>{t('editor:upload.duplicate', { name: duplicate?.name ?? name })}</span>
        <Button small onClick={() => void chooseDuplicate(uploadId)}>
          {t('editor:upload.useDuplicate')}
        </Button>
        <Button small tone="quiet" onClick={() => void uploadAnyway(uploadId)}>
          {t('editor:upload.anyway')}
        </Button>
      </div>
    )
  }
  if (step === 'failed') {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-error">{uploadFailure?.message || t('editor:upload.failed', { name })}</span>
        <Button small onClick={() => void retryUpload(uploadId)}>
          {t('shell:button.retry')}
        </Button>
      </div>
    )
  }
  return <ProgressBar share={size === 0 ? null : sent / size} label={t('editor:upload.underWay', { name })} />
}
