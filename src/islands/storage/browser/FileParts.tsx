import { Ellipsis, TriangleAlert } from 'lucide-react'
import { processingText, truncationText } from '../file-text.ts'
import { FileNameField } from './FileName.tsx'
import type { ItemProps } from './item-props.ts'

export function RowCheckbox({ row, i18n, actions: live }: ItemProps) {
  if (!live) return null
  return (
    <input
      type="checkbox"
      className="checkbox checkbox-sm"
      tabIndex={-1}
      checked={live.isSelected}
      aria-label={i18n.t('storage:list.select', { name: row.name })}
      onClick={(event) => event.stopPropagation()}
      onChange={live.onToggle}
    />
  )
}

/** The name, as a link if there is a target. */
export function FileNameLink(props: ItemProps) {
  const { row, href, actions: live, i18n } = props
  if (live?.isRenaming) return <FileNameField row={row} i18n={i18n} onDone={live.onRenamed} />
  if (href === null) {
    return (
      <span className="file-word" title={row.name}>
        {row.name}
      </span>
    )
  }
  return (
    <a
      href={href}
      className="file-word"
      title={row.name}
      draggable={false}
      {...(live && { tabIndex: -1, onClick: live.onOpen })}
      {...(row.kind !== 'folder' && { 'data-astro-reload': true })}
    >
      {row.name}
    </a>
  )
}

/** Processing state of a video, and retry after a failure. */
export function ProcessingState({ row, i18n, actions: live }: ItemProps) {
  const state = processingText(row, i18n)
  const truncation = truncationText(row, i18n)
  if (truncation) {
    return (
      <span className="file-processing">
        <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-warning" />
        <span className="truncate" title={truncation}>
          {truncation}
        </span>
      </span>
    )
  }
  if (state === null) return null
  if (row.state !== 'failed') {
    const known = row.state !== 'queued'
    return (
      <span className="file-processing">
        {known && (
          <progress className="progress progress-primary" max={100} value={row.progress ?? 0} aria-hidden="true" />
        )}
        <span>{state}</span>
      </span>
    )
  }
  return (
    <span className="file-processing text-error">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="truncate" title={row.failure ? i18n.t(`storage:hint.${row.failure}`) : state}>
        {row.failure ? i18n.t(`storage:failure.${row.failure}`) : state}
      </span>
      {live && (
        <button
          type="button"
          tabIndex={-1}
          className="btn btn-xs"
          onClick={(event) => {
            event.stopPropagation()
            live.onRetry()
          }}
        >
          {i18n.t('storage:list.retry')}
        </button>
      )}
    </span>
  )
}

export function MoreButton({ row, i18n, actions: live }: ItemProps) {
  if (!live) return null
  const label = i18n.t('storage:list.acts', { name: row.name })
  return (
    <button
      type="button"
      tabIndex={-1}
      className="btn btn-ghost btn-sm btn-square"
      aria-label={label}
      aria-haspopup="menu"
      onClick={(event) => {
        event.stopPropagation()
        live.onMenu(event)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
