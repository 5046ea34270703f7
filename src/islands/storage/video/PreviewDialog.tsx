import { Dialog as Base } from '@base-ui/react/dialog'
import { Captions, ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { showFailure as tellFailure } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { FileDetails } from '../file-details.ts'
import type { Storage } from '../use-storage.ts'

const VideoPreview = lazy(() => import('./VideoPreview.tsx'))
const PdfPreview = lazy(() => import('./PdfPreview.tsx'))
const TextPreview = lazy(() => import('./TextPreview.tsx'))

/** Previews one file; arrow keys show the previous and next. */
export default function PreviewDialog({ storage, fileId }: { storage: Storage; fileId: string }) {
  const { i18n, setPreview, listing } = storage
  const { t } = i18n
  const files = listing.rows.filter(({ kind }) => kind !== 'folder')
  const place = files.findIndex(({ id }) => id === fileId)
  const beside = (by: number) => files[place + by]?.id
  const go = (by: number) => {
    const next = beside(by)
    if (next) setPreview(next)
  }
  const name = files[place]?.name ?? ''
  return (
    <Base.Root open onOpenChange={() => setPreview(null)}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          className="floating fixed top-1/2 left-1/2 z-70 grid max-h-[calc(100dvh-1rem)] w-[min(64rem,calc(100vw-1rem))] -translate-1/2 grid-cols-1 gap-3 overflow-y-auto p-3 sm:p-4"
          finalFocus={() => document.querySelector<HTMLElement>('.file-list')}
          onKeyDown={(event) => {
            const inside =
              event.target instanceof Element &&
              event.target.closest('media-controller, input, textarea, [role=slider]')
            if (inside) return
            if (event.key === 'ArrowRight') go(1)
            if (event.key === 'ArrowLeft') go(-1)
          }}
        >
          <div className="flex items-center gap-1">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold">{name}</Base.Title>
            <IconButton
              label={t('storage:details.previous')}
              disabled={!beside(-1)}
              onClick={() => go(-1)}
              icon={ChevronLeft}
            />
            <IconButton
              label={t('storage:details.next')}
              disabled={!beside(1)}
              onClick={() => go(1)}
              icon={ChevronRight}
            />
            <Base.Close className="btn btn-ghost btn-sm btn-square" aria-label={t('storage:list.close')}>
              <X size={18} strokeWidth={1.75} aria-hidden="true" />
            </Base.Close>
          </div>
          <PreviewContent key={fileId} storage={storage} fileId={fileId} name={name} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function PreviewContent({ storage, fileId, name }: { storage: Storage; fileId: string; name: string }) {
  const { t } = storage.i18n
  const [file, setFile] = useState<FileDetails | null>(null)
  const [failed, setFailed] = useState(false)
  // A stable function: a new one would reload the file.
  const fail = useCallback(() => setFailed(true), [])
  const openCaptions = () => {
    storage.setPreview(null)
    void import('../caption/CaptionDialog.tsx')
      .then(({ openCaptionDialog: openCaptionWindow }) => openCaptionWindow({ fileId, name }, storage.i18n.locale))
      .catch(tellFailure)
  }
  useEffect(() => {
    let current = true
    api.storage.get({ fileId }, { context: { isQuiet: true } }).then(
      (loadedFile) => current && setFile(loadedFile),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [fileId])
  const waiting = <Skeleton shape="lines" count={6} label={t('storage:details.loading')} />
  return (
    <>
      <div className="preview-stage">
        {failed && <p role="alert">{t('storage:details.previewFailed')}</p>}
        {!failed && !file && waiting}
        {!failed && file && (
          <Suspense fallback={waiting}>
            <FilePreview file={file} storage={storage} name={name} onFail={fail} />
          </Suspense>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {file?.download && (
          <a href={file.download} className="btn btn-sm" data-astro-reload>
            <Download size={18} strokeWidth={1.75} aria-hidden="true" />
            {t('storage:list.download')}
          </a>
        )}
        {storage.may && (file?.kind === 'video' || file?.kind === 'audio') && (
          <Button small icon={<Captions size={18} strokeWidth={1.75} aria-hidden="true" />} onClick={openCaptions}>
            {t('storage:details.captions')}
          </Button>
        )}
      </div>
    </>
  )
}

interface PreviewProps {
  file: FileDetails
  storage: Storage
  name: string
  onFail: () => void
}

function FilePreview({ file, storage, name, onFail }: PreviewProps) {
  const { i18n } = storage
  const address = file.address ?? ''
  if (file.picture && IMAGE_TYPE.test(file.mime)) return <img src={file.picture.src} alt={name} onError={onFail} />
  if (file.kind === 'video' || file.kind === 'audio')
    return <VideoPreview fileId={file.id} i18n={i18n} onFail={onFail} />
  if (file.mime === 'application/pdf') return <PdfPreview address={address} i18n={i18n} onFail={onFail} />
  if (file.mime.startsWith('text/')) return <TextPreview address={address} i18n={i18n} onFail={onFail} />
  return <p className="text-muted">{i18n.t('storage:details.noPreview')}</p>
}

/** Pictures that browsers can display. */
const IMAGE_TYPE = /^image\//
