import { ChevronDown, FolderPlus, LayoutGrid, List, Upload } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { StorageI18n } from '../file-text.ts'
import type { ListingView } from './listing-query.ts'

interface Props {
  view: ListingView
  i18n: StorageI18n
  /** Handlers of the buttons; undefined on the server. */
  onView?: (view: ListingView) => void
  onFolder?: () => void
  onPick?: (files: FileList) => void
  /** False for the trash and without an active plan. */
  acceptsFiles: boolean
}

/** View and upload buttons. */
export function StorageToolbar({ view, i18n, onView, onFolder, onPick, acceptsFiles }: Props) {
  const { t } = i18n
  const views = [
    { key: 'list', icon: List, label: t('storage:list.asList') },
    { key: 'grid', icon: LayoutGrid, label: t('storage:list.asGrid') },
  ] as const
  return (
    <div className="needs-script flex flex-wrap items-center gap-2">
      <fieldset className="join">
        <legend className="sr-only">{t('storage:list.view')}</legend>
        {views.map(({ key, icon: Icon, label }) => (
          <button
            key={key}
            type="button"
            className={`btn join-item btn-sm btn-square ${view === key ? 'btn-secondary' : ''}`}
            aria-pressed={view === key}
            aria-label={label}
            title={label}
            onClick={() => onView?.(key)}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        ))}
      </fieldset>
      {acceptsFiles && (
        <>
          <button type="button" className="btn btn-sm" onClick={onFolder}>
            <FolderPlus size={18} strokeWidth={1.75} aria-hidden="true" />
            {t('storage:page.newFolder')}
          </button>
          <UploadButtons i18n={i18n} onPick={onPick} />
        </>
      )}
    </div>
  )
}

function UploadButtons({ i18n, onPick }: Pick<Props, 'i18n'> & { onPick: Props['onPick'] }) {
  const { t } = i18n
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  // Supported by browsers, but missing in React's types.
  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true
  }, [])
  const take = (input: HTMLInputElement) => {
    if (input.files && input.files.length > 0) onPick?.(input.files)
    input.value = ''
  }
  return (
    <div>
      <input ref={files} type="file" multiple hidden onChange={(event) => take(event.target)} data-upload="files" />
      <input ref={folder} type="file" hidden onChange={(event) => take(event.target)} data-upload="folder" />
      <div className="join">
        <button type="button" className="btn btn-primary join-item btn-sm" onClick={() => files.current?.click()}>
          <Upload size={18} strokeWidth={1.75} aria-hidden="true" />
          {t('storage:page.upload')}
        </button>
        <details className="fold -ms-px" data-fold>
          <summary className="btn btn-primary btn-sm rounded-s-none border-s-primary-content/40 px-1.5">
            <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className="sr-only">{t('storage:page.uploadFolder')}</span>
          </summary>
          <div className="fold-panel floating top-full right-0 mt-1">
            <button type="button" className="option" onClick={() => files.current?.click()}>
              {t('storage:page.uploadFiles')}
            </button>
            <button type="button" className="option" onClick={() => folder.current?.click()}>
              {t('storage:page.uploadFolder')}
            </button>
          </div>
        </details>
      </div>
    </div>
  )
}
