import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Words } from '../file-text.ts'
import { GROUP, gridOf, livingGrid, PLAIN, rowAt } from './aria-roles.ts'
import { Heads } from './ColumnHeaders.tsx'
import { FileLine } from './FileRow.tsx'
import { FileTile } from './FileTile.tsx'
import { type ItemLife, type ItemProps, idOf } from './item-props.ts'
import { type Asked, folderAddress, isSearch, type Row, type View } from './listing-query.ts'

interface Shown {
  rows: readonly Row[]
  view: View
  asked: Asked
  words: Words
}

/** The rows as plain HTML, as the server sends them. */
export function Shelf({ rows, view, asked, words }: Shown) {
  const items = rows.map((row, place) => itemProps({ row, place, asked, words }))
  return (
    <div {...gridOf(words.t('storage:list.label'))} className="file-shelf" data-view={view}>
      {view === 'list' ? <Heads asked={asked} words={words} /> : null}
      {view === 'list' ? (
        <div {...GROUP}>
          {items.map((item) => (
            <FileLine key={item.row.id} {...item} />
          ))}
        </div>
      ) : (
        <div {...rowAt(1)} className="file-tiles">
          {items.map((item) => (
            <FileTile key={item.row.id} {...item} />
          ))}
        </div>
      )}
    </div>
  )
}

interface Living extends Shown {
  /** More rows stand behind the last one. */
  more: boolean
  active: number
  lifeOf: (row: Row, place: number) => ItemLife
  onKey: (event: KeyboardEvent) => void
  onNear: () => void
  /** Told when the number of tiles in a line is known. */
  onColumns: (columns: number) => void
  shelf: RefObject<HTMLDivElement | null>
  children?: ReactNode
}

const LINE = { wide: 56, narrow: 68 }
const TILE = { width: 184, height: 212, gap: 12 }
const NEAR_ROWS = 12
/** Lines of grey under the last one while the next are on their way. */
const COMING = 6

/** The same rows, of which only those in sight are in the document. */
export function LivingShelf(props: Living) {
  const { rows, view, asked, words, active, more, shelf, onNear, onColumns } = props
  const list = useRef<HTMLDivElement>(null)
  const { columns, lineHeight, margin } = usePlace(list, view)
  const lines = Math.ceil(rows.length / columns) + (more ? COMING : 0)
  const virtual = useWindowVirtualizer({
    count: lines,
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
  const near = more && (lastLine + NEAR_ROWS) * columns >= rows.length
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
      ref={shelf}
      {...livingGrid(words.t('storage:list.label'), count, activeRow && idOf(activeRow), props.onKey)}
      className="file-shelf"
      data-view={view}
      data-live="true"
    >
      {view === 'list' && <Heads asked={asked} words={words} />}
      <div ref={list} {...GROUP} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <Line key={index} {...props} index={index} columns={columns} top={start - margin} height={lineHeight} />
        ))}
      </div>
    </div>
  )
}

interface LineProps extends Living {
  index: number
  columns: number
  top: number
  height: number
}

function Line({ index, columns, top, height, rows, view, asked, words, lifeOf }: LineProps) {
  const first = index * columns
  const shown = rows.slice(first, first + columns)
  const style = { transform: `translateY(${top}px)`, height: view === 'list' ? height : height - TILE.gap }
  if (shown.length === 0) {
    return (
      <div aria-hidden="true" className="file-place" style={style}>
        <div className="skeleton-line size-full" />
      </div>
    )
  }
  const items = shown.map((row, n) => itemProps({ row, place: first + n, asked, words, live: lifeOf(row, first + n) }))
  if (view === 'list') {
    return (
      <div {...PLAIN} className="file-place" style={style}>
        {items.map((item) => (
          <FileLine key={item.row.id} {...item} />
        ))}
      </div>
    )
  }
  const grid = { ...style, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }
  return (
    <div {...rowAt(index + 1)} className="file-place file-tiles" style={grid}>
      {items.map((item) => (
        <FileTile key={item.row.id} {...item} />
      ))}
    </div>
  )
}

function itemProps({
  row,
  place,
  asked,
  words,
  live,
}: Omit<ItemProps, 'href' | 'anywhere' | 'trash'> & { asked: Asked }): ItemProps {
  const href = asked.trash ? null : row.kind === 'folder' ? folderAddress(asked, row.id) : `/v1/file/${row.id}`
  return { row, place, words, live, href, anywhere: isSearch(asked), trash: asked.trash }
}

/** Where the list begins on the page, how high a line is and how many tiles stand in one. */
function usePlace(list: RefObject<HTMLDivElement | null>, view: View) {
  const [place, setPlace] = useState({
    columns: 1,
    lineHeight: view === 'list' ? LINE.wide : TILE.height + TILE.gap,
    margin: 0,
  })
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect()
      if (!box) return
      const columns = view === 'list' ? 1 : Math.max(2, Math.floor((box.width + TILE.gap) / (TILE.width + TILE.gap)))
      const line = window.matchMedia('(width >= 48rem)').matches ? LINE.wide : LINE.narrow
      const lineHeight = view === 'list' ? line : TILE.height + TILE.gap
      const margin = Math.round(box.top + window.scrollY)
      setPlace((before) =>
        before.columns === columns && before.lineHeight === lineHeight && before.margin === margin
          ? before
          : { columns, lineHeight, margin },
      )
    }
    measure()
    // What stands above the list may grow or go: then the body's height changes.
    const watcher = new ResizeObserver(measure)
    watcher.observe(document.body)
    if (list.current?.parentElement) watcher.observe(list.current.parentElement)
    return () => watcher.disconnect()
  }, [list, view])
  return place
}
