import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FILE_PATH } from '#lib/core/shared/stored-file.ts'
import type { StorageI18n } from '../file-text.ts'
import { gridRole, interactiveGrid, PRESENTATION, ROW_GROUP, rowRole } from './aria-roles.ts'
import { ColumnHeaders } from './ColumnHeaders.tsx'
import { FileRow } from './FileRow.tsx'
import { FileTile } from './FileTile.tsx'
import { type ItemActions, type ItemProps, rowElementId } from './item-props.ts'
import { folderUrl, isSearch, type ListedFile, type ListingQuery, type ListingView } from './listing-query.ts'

interface FileGridProps {
  rows: readonly ListedFile[]
  view: ListingView
  query: ListingQuery
  i18n: StorageI18n
}

/** The rows as plain HTML, rendered by the server. */
export function FileGrid({ rows, view, query, i18n }: FileGridProps) {
  const items = rows.map((row, place) => toItemProps({ row, place, query, i18n }))
  return (
    <div {...gridRole(i18n.t('storage:list.label'))} className="file-list" data-view={view}>
      {view === 'list' ? <ColumnHeaders query={query} i18n={i18n} /> : null}
      {view === 'list' ? (
        <div {...ROW_GROUP}>
          {items.map((item) => (
            <FileRow key={item.row.id} {...item} />
          ))}
        </div>
      ) : (
        <div {...rowRole(1)} className="file-tiles">
          {items.map((item) => (
            <FileTile key={item.row.id} {...item} />
          ))}
        </div>
      )}
    </div>
  )
}

interface VirtualFileGridProps extends FileGridProps {
  /** More rows can be loaded. */
  more: boolean
  active: number
  actionsOf: (row: ListedFile, place: number) => ItemActions
  onKey: (event: KeyboardEvent) => void
  onNearEnd: () => void
  /** Called with the number of tiles in a row. */
  onColumns: (columns: number) => void
  gridRef: RefObject<HTMLDivElement | null>
  children?: ReactNode
}

const ROW_HEIGHT = { wide: 56, narrow: 68 }
const TILE_SIZE = { width: 184, height: 212, gap: 12 }
const PRELOAD_ROWS = 12
/** Skeleton rows below the last row while more are loaded. */
const SKELETON_ROWS = 6

/** The same rows, virtualised: only visible ones are in the document. */
export function VirtualFileGrid(props: VirtualFileGridProps) {
  const { rows, view, query, i18n, active, more, gridRef, onNearEnd: onNear, onColumns } = props
  const list = useRef<HTMLDivElement>(null)
  const { columns, lineHeight, margin } = useGridLayout(list, view)
  const lineCount = Math.ceil(rows.length / columns) + (more ? SKELETON_ROWS : 0)
  const virtual = useWindowVirtualizer({
    count: lineCount,
    estimateSize: () => lineHeight,
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 96,
  })
  useLayoutEffect(() => {
    if (lineHeight > 0) virtual.measure()
  }, [virtual, lineHeight])
  useEffect(() => onColumns(columns), [onColumns, columns])
  const items = virtual.getVirtualItems()
  const lastLine = items.at(-1)?.index ?? 0
  const near = more && (lastLine + PRELOAD_ROWS) * columns >= rows.length
  useEffect(() => {
    if (near) onNear()
  }, [near, onNear])
  const seen = useRef(active)
  useEffect(() => {
    if (active >= 0 && active !== seen.current) virtual.scrollToIndex(Math.floor(active / columns))
    seen.current = active
  }, [active, columns, virtual])
  const activeRow = rows[active]
  const count = more ? -1 : Math.ceil(rows.length / columns) + (view === 'list' ? 1 : 0)
  return (
    <div
      ref={gridRef}
      {...interactiveGrid(i18n.t('storage:list.label'), count, activeRow && rowElementId(activeRow), props.onKey)}
      className="file-list"
      data-view={view}
      data-live="true"
    >
      {view === 'list' && <ColumnHeaders query={query} i18n={i18n} />}
      <div ref={list} {...ROW_GROUP} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <GridRow key={index} {...props} index={index} columns={columns} top={start - margin} height={lineHeight} />
        ))}
      </div>
    </div>
  )
}

interface GridRowProps extends VirtualFileGridProps {
  index: number
  columns: number
  top: number
  height: number
}

function GridRow({ index, columns, top, height, rows, view, query, i18n, actionsOf }: GridRowProps) {
  const first = index * columns
  const shown = rows.slice(first, first + columns)
  const style = { transform: `translateY(${top}px)`, height: view === 'list' ? height : height - TILE_SIZE.gap }
  if (shown.length === 0) {
    return (
      <div aria-hidden="true" className="file-place" style={style}>
        <div className="skeleton-line size-full" />
      </div>
    )
  }
  const items = shown.map((row, n) =>
    toItemProps({ row, place: first + n, query, i18n, actions: actionsOf(row, first + n) }),
  )
  if (view === 'list') {
    return (
      <div {...PRESENTATION} className="file-place" style={style}>
        {items.map((item) => (
          <FileRow key={item.row.id} {...item} />
        ))}
      </div>
    )
  }
  const grid = { ...style, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }
  return (
    <div {...rowRole(index + 1)} className="file-place file-tiles" style={grid}>
      {items.map((item) => (
        <FileTile key={item.row.id} {...item} />
      ))}
    </div>
  )
}

function toItemProps({
  row,
  place,
  query,
  i18n,
  actions: live,
}: Omit<ItemProps, 'href' | 'anywhere' | 'trash'> & { query: ListingQuery }): ItemProps {
  const href = query.trash ? null : row.kind === 'folder' ? folderUrl(query, row.id) : `${FILE_PATH}${row.id}`
  return { row, place, i18n, actions: live, href, anywhere: isSearch(query), trash: query.trash }
}

/** Offset of the list on the page, height of a row and number of tiles in it. */
function useGridLayout(list: RefObject<HTMLDivElement | null>, view: ListingView) {
  const [place, setPlace] = useState({
    columns: 1,
    lineHeight: view === 'list' ? ROW_HEIGHT.wide : TILE_SIZE.height + TILE_SIZE.gap,
    margin: 0,
  })
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect()
      if (!box) return
      const columns =
        view === 'list' ? 1 : Math.max(2, Math.floor((box.width + TILE_SIZE.gap) / (TILE_SIZE.width + TILE_SIZE.gap)))
      const rowHeight = window.matchMedia('(width >= 48rem)').matches ? ROW_HEIGHT.wide : ROW_HEIGHT.narrow
      const lineHeight = view === 'list' ? rowHeight : TILE_SIZE.height + TILE_SIZE.gap
      const margin = Math.round(box.top + window.scrollY)
      setPlace((before) =>
        before.columns === columns && before.lineHeight === lineHeight && before.margin === margin
          ? before
          : { columns, lineHeight, margin },
      )
    }
    measure()
    // Content above the list may change its height: then the body's height changes.
    const watcher = new ResizeObserver(measure)
    watcher.observe(document.body)
    if (list.current?.parentElement) watcher.observe(list.current.parentElement)
    return () => watcher.disconnect()
  }, [list, view])
  return place
}
