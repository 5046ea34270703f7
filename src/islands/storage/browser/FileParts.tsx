import { Ellipsis, TriangleAlert } from 'lucide-react'
import { stateOf, truncationOf } from '../file-text.ts'
import { RenameField } from './FileName.tsx'
import type { ItemProps } from './item-props.ts'

export function Tick({ row, words, live }: ItemProps) {
  if (!live) return null
  return (
    <input
      type="checkbox"
      className="checkbox checkbox-sm"
      tabIndex={-1}
      checked={live.chosen}
      aria-label={words.t('storage:list.select', { name: row.name })}
      onClick={(event) => event.stopPropagation()}
      onChange={live.onTurn}
    />
  )
}

/** The name, as a link where it leads somewhere. */
export function Name(props: ItemProps) {
  const { row, href, live, words } = props
  if (live?.renaming) return <RenameField row={row} words={words} onDone={live.onRenamed} />
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

/** How far a video is, and what can be done when it failed. */
export function Making({ row, words, live }: ItemProps) {
  const state = stateOf(row, words)
  const truncation = truncationOf(row, words)
  if (truncation) {
    return (
      <span className="file-making">
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
      <span className="file-making">
        {known && (
          <progress className="progress progress-primary" max={100} value={row.progress ?? 0} aria-hidden="true" />
        )}
        <span>{state}</span>
      </span>
    )
  }
  return (
    <span className="file-making text-error">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="truncate" title={row.failure ? words.t(`storage:hint.${row.failure}`) : state}>
        {row.failure ? words.t(`storage:why.${row.failure}`) : state}
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
          {words.t('storage:list.retry')}
        </button>
      )}
    </span>
  )
}

export function More({ row, words, live }: ItemProps) {
  if (!live) return null
  const label = words.t('storage:list.acts', { name: row.name })
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
