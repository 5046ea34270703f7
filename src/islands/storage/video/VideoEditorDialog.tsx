import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { StorageI18n } from '../file-text.ts'
import { loadStrings } from '../load-strings.ts'
import type { EditorTab } from './VideoEditor.tsx'

const VideoEditor = lazy(() => import('./VideoEditor.tsx'))

interface Props {
  fileId: string
  name: string
  /** The tab that is shown first; default: name and description. */
  part?: EditorTab
  i18n: Pick<StorageI18n, 't' | 'locale'>
  onClose: () => void
}

/** The video editor in a dialog. */
export default function VideoEditorDialog({ fileId, name, part, i18n, onClose }: Props) {
  const { t, locale } = i18n
  const [strings, setStrings] = useState<Strings | null>(null)
  useEffect(() => {
    loadStrings(locale, 'storage', 'player', 'shell').then(setStrings, onClose)
  }, [locale, onClose])
  const waiting = <Skeleton shape="lines" count={6} label={t('storage:details.loading')} />
  return (
    <Base.Root open onOpenChange={onClose}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="floating fixed top-1/2 left-1/2 z-70 max-h-[calc(100dvh-1rem)] w-[min(72rem,calc(100vw-1rem))] -translate-1/2 overflow-y-auto p-4 sm:p-6">
          <div className="mb-4 flex items-start justify-between gap-3">
            <Base.Title className="min-w-0 font-semibold text-lg [overflow-wrap:anywhere]">{name}</Base.Title>
            <Base.Close className="btn btn-ghost btn-sm btn-square" aria-label={t('storage:list.close')}>
              <X size={18} strokeWidth={1.75} aria-hidden="true" />
            </Base.Close>
          </div>
          <Suspense fallback={waiting}>
            {strings ? <VideoEditor fileId={fileId} part={part} strings={strings} locale={locale} /> : waiting}
          </Suspense>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
