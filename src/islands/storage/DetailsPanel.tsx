import { X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { formatBytes, formatDateTime, formatDuration } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import { folderUrl, type ListingQuery } from './browser/listing-query.ts'
import type { FileDetails } from './file-details.ts'
import { buildUseUrl } from './use-link.ts'
import type { Storage } from './use-storage.ts'
import { HistoryList } from './video/HistoryList.tsx'

const VideoEditorDialog = lazy(() => import('./video/VideoEditorDialog.tsx'))

interface Props {
  storage: Storage
  query: ListingQuery
  fileId: string
}

/** Details of one file, next to the list. */
export default function DetailsPanel({ storage, query, fileId }: Props) {
  const { i18n, setDetails, listing } = storage
  const { t } = i18n
  const row = listing.rows.find(({ id }) => id === fileId)
  const [file, setFile] = useState<FileDetails | 'loading' | 'failed'>('loading')
  const [again, setAgain] = useState(0)
  const [isVideoEditorOpen, setIsVideoEditorOpen] = useState(false)
  const closeVideoEditor = useCallback(() => setIsVideoEditorOpen(false), [])
  // A change of the row reloads the details.
  const version = `${row?.name} ${row?.state} ${row?.usedCount} ${again}`
  useEffect(() => {
    let current = true
    api.storage.get({ fileId }, { context: { isQuiet: version !== '' } }).then(
      (details) => current && setFile(details),
      () => current && setFile('failed'),
    )
    return () => {
      current = false
    }
  }, [fileId, version])
  const known = typeof file === 'object' && file.id === fileId ? file : null
  return (
    <aside className="file-panel" aria-label={t('storage:details.title', { name: row?.name ?? '' })}>
      <div className="mb-4 flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold text-lg [overflow-wrap:anywhere]">{known?.name ?? row?.name}</h2>
        <button
          type="button"
          className="btn btn-ghost btn-sm btn-square"
          aria-label={t('storage:details.hide')}
          onClick={() => setDetails(null)}
        >
          <X size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      {file === 'loading' && <Skeleton shape="lines" count={6} label={t('storage:details.loading')} />}
      {file === 'failed' && (
        <ErrorState
          title={t('storage:details.failed')}
          retryLabel={t('shell:button.retry')}
          onRetry={() => {
            setFile('loading')
            setAgain(again + 1)
          }}
        />
      )}
      {known && (
        <div className="grid gap-5">
          <Notice file={known} storage={storage} />
          <Facts file={known} storage={storage} query={query} />
          <Uses file={known} storage={storage} />
          <Duplicates file={known} storage={storage} query={query} />
          <HistoryList file={known} i18n={i18n} />
          <div className="flex flex-wrap gap-2">
            {storage.may && (known.kind === 'video' || known.kind === 'audio') && (
              <Button small onClick={() => setIsVideoEditorOpen(true)}>
                {t('storage:details.videoEditor')}
              </Button>
            )}
            {known.download && (
              <a href={known.download} className="btn btn-sm" data-astro-reload>
                {t('storage:list.download')}
              </a>
            )}
          </div>
          {isVideoEditorOpen && (
            <Suspense>
              <VideoEditorDialog fileId={known.id} name={known.name} i18n={i18n} onClose={closeVideoEditor} />
            </Suspense>
          )}
        </div>
      )}
    </aside>
  )
}

interface PartProps {
  file: FileDetails
  storage: Storage
  query: ListingQuery
}

/** Warnings about a video next to its state. */
function Notice({ file, storage }: Omit<PartProps, 'query'>) {
  const { t, locale } = storage.i18n
  const text = file.waitsForDisk
    ? t('storage:details.waitsForDisk')
    : file.truncated && t('storage:details.truncated', { time: formatDuration(file.duration ?? 0, locale) })
  return text ? <p className="alert alert-warning text-sm">{text}</p> : null
}

function Facts({ file, storage, query }: PartProps) {
  const { t, locale, timeZone } = storage.i18n
  const time = (at: string) => formatDateTime(at, timeZone, locale)
  const folder = file.path.at(-1)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      <Fact label={t('storage:details.type')}>{file.kind === 'file' ? file.mime : t(`storage:kind.${file.kind}`)}</Fact>
      <Fact label={t('storage:details.size')}>
        {file.kind === 'folder'
          ? `${formatBytes(file.size, locale)}, ${t('storage:details.files', { count: file.files })}`
          : formatBytes(file.size, locale)}
      </Fact>
      {file.width && file.height ? (
        <Fact label={t('storage:details.pixels')}>{`${file.width} × ${file.height}`}</Fact>
      ) : null}
      {file.duration !== null && <Fact label={t('storage:details.duration')}>{formatClock(file.duration)}</Fact>}
      {file.resolutions.length > 0 && (
        <Fact label={t('storage:details.resolutions')}>
          {file.resolutions.map((height) => t('storage:details.height', { height })).join(', ')}
        </Fact>
      )}
      <Fact label={t('storage:details.place')}>
        <a href={folderUrl(query, folder?.id ?? null)} className="still-link">
          {folder?.name ?? t('storage:list.top')}
        </a>
      </Fact>
      <Fact label={t('storage:details.owner')}>{file.owner}</Fact>
      <Fact label={t('storage:details.created')}>{time(file.createdAt)}</Fact>
      {file.updatedAt !== file.createdAt && <Fact label={t('storage:details.changed')}>{time(file.updatedAt)}</Fact>}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

function Uses({ file, storage }: Omit<PartProps, 'query'>) {
  const { t } = storage.i18n
  if (file.kind === 'folder') return null
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{t('storage:details.uses')}</h3>
      {file.uses.length === 0 && <p className="text-muted">{t('storage:details.noUses')}</p>}
      <ul className="grid gap-1">
        {file.uses.map((use) => {
          const href = buildUseUrl(use)
          return (
            <li key={use.id}>
              <span className="text-muted">{`${t(`storage:details.user.${use.kind}`)}: `}</span>
              {href ? (
                <a href={href} className="still-link">
                  {use.title}
                </a>
              ) : (
                use.title
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Duplicates({ file, storage, query }: PartProps) {
  const { t } = storage.i18n
  if (file.duplicates.length === 0) return null
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{t('storage:details.duplicates')}</h3>
      <p className="mb-1 text-muted">{t('storage:details.duplicatesHint')}</p>
      <ul className="grid gap-1">
        {file.duplicates.map(({ id, name, parentId, parentName }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            {`${name} · `}
            <a href={folderUrl(query, parentId)} className="still-link">
              {parentName ?? t('storage:list.top')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
