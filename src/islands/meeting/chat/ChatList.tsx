import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../translation.ts'

interface Props {
  label: string
  ids: readonly string[]
  renderRow: (index: number) => ReactNode
  /** Shown in place of an empty list. */
  emptyText: string
  /** Loads the page before the first row; null when there is none. */
  loadOlder: (() => Promise<void>) | null
}

const NEAR_TOP = 5

/**
 * A virtualised list that grows at its end and loads older rows at its start. It keeps the scroll position, follows the
 * end when scrolled there, and otherwise shows the number of new rows.
 */
export function ChatList({ label, ids, renderRow, emptyText, loadOlder }: Props) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const [lastSeenId, setLastSeenId] = useState<string | null>(ids.at(-1) ?? null)
  const isLoadingOlder = useRef(false)
  const list = useVirtualizer({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: () => 68,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 4,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 64,
    initialRect: { width: 360, height: 480 },
  })
  const rows = list.getVirtualItems()
  const firstIndex = rows[0]?.index ?? 0
  const lastId = ids.at(-1) ?? null
  const lastSeenIndex = lastSeenId === null ? -1 : ids.indexOf(lastSeenId)
  const newCount = isAtEnd || lastSeenIndex < 0 ? 0 : ids.length - 1 - lastSeenIndex

  useEffect(() => {
    if (isAtEnd) setLastSeenId(lastId)
  }, [isAtEnd, lastId])
  useEffect(() => {
    if (firstIndex > NEAR_TOP || !loadOlder || isLoadingOlder.current || ids.length === 0) return
    isLoadingOlder.current = true
    loadOlder()
      .catch(() => {})
      .finally(() => {
        isLoadingOlder.current = false
      })
  }, [firstIndex, loadOlder, ids.length])

  const handleScroll = () => setIsAtEnd(list.isAtEnd(64))
  const focusRow = (index: number) => {
    const id = ids[index]
    if (!id) return
    setFocusedId(id)
    list.scrollToIndex(index, { align: 'auto' })
    // The row may have to be rendered first.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus())
  }
  const handleKey = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-row]') : null
    // After closing the menu of a message the focus is on its button.
    const isMenuButton = event.target instanceof HTMLElement && event.target.closest('.chat-actions') !== null
    if (!row || (event.target !== row && !isMenuButton)) return
    const index = ids.indexOf(row.dataset.row ?? '')
    const targetIndex = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: ids.length - 1 }[event.key]
    if (targetIndex !== undefined) {
      event.preventDefault()
      focusRow(Math.max(0, Math.min(ids.length - 1, targetIndex)))
    } else if (isMenuButton) {
      return
    } else if (event.key === 'Enter' || event.key === 'ContextMenu') {
      event.preventDefault()
      row.querySelector<HTMLElement>('.chat-actions')?.click()
    }
  }
  const tabStopId = focusedId !== null && ids.includes(focusedId) ? focusedId : lastId

  return (
    <div className="chat-frame">
      {ids.length === 0 && <p className="chat-empty">{emptyText}</p>}
      <div ref={box} className="chat-scroll" onScroll={handleScroll} data-virtual="">
        <ul aria-label={label} className="chat-list" style={{ height: list.getTotalSize() }} onKeyDown={handleKey}>
          {rows.map(({ index, key, start }) => {
            const id = ids[index] ?? ''
            return (
              <li
                key={key}
                ref={list.measureElement}
                className="chat-row"
                data-index={index}
                data-row={id}
                aria-setsize={ids.length}
                aria-posinset={index + 1}
                tabIndex={id === tabStopId ? 0 : -1}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setFocusedId(id)}
              >
                {renderRow(index)}
              </li>
            )
          })}
        </ul>
      </div>
      {!isAtEnd && ids.length > 0 && (
        <button
          type="button"
          className="chat-jump btn btn-sm btn-primary"
          onClick={() => {
            list.scrollToEnd()
            setIsAtEnd(true)
          }}
        >
          {newCount > 0 ? t('meeting:chat.jump', { count: newCount }) : t('meeting:chat.bottom')} ↓
        </button>
      )}
    </div>
  )
}
