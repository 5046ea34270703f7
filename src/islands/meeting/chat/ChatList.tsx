import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../translation.ts'

interface Props {
  label: string
  ids: readonly string[]
  row: (index: number) => ReactNode
  /** What to show in place of an empty list. */
  empty: string
  /** Reads what is before the first row; null when there is nothing. */
  older: (() => Promise<void>) | null
}

const NEAR_TOP = 5

/**
 * A list that grows at its end and has a long past: only what can be seen is in the document. It stays where the reader
 * is, follows the end when they are there, and says how much came when they are not.
 */
export function ChatList({ label, ids, row, empty, older }: Props) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const [atEnd, setAtEnd] = useState(true)
  const [seen, setSeen] = useState<string | null>(ids.at(-1) ?? null)
  const reading = useRef(false)
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
  const first = rows[0]?.index ?? 0
  const last = ids.at(-1) ?? null
  const place = seen === null ? -1 : ids.indexOf(seen)
  const fresh = atEnd || place < 0 ? 0 : ids.length - 1 - place

  useEffect(() => {
    if (atEnd) setSeen(last)
  }, [atEnd, last])
  useEffect(() => {
    if (first > NEAR_TOP || !older || reading.current || ids.length === 0) return
    reading.current = true
    older()
      .catch(() => {})
      .finally(() => {
        reading.current = false
      })
  }, [first, older, ids.length])

  const scrolled = () => setAtEnd(list.isAtEnd(64))
  const focusRow = (index: number) => {
    const id = ids[index]
    if (!id) return
    setActive(id)
    list.scrollToIndex(index, { align: 'auto' })
    // It may have to be drawn first.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus())
  }
  const press = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-row]') : null
    // Back from the menu of a message the focus is on its button.
    const own = event.target instanceof HTMLElement && event.target.closest('.chat-acts') !== null
    if (!from || (event.target !== from && !own)) return
    const at = ids.indexOf(from.dataset.row ?? '')
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: ids.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      focusRow(Math.max(0, Math.min(ids.length - 1, to)))
    } else if (own) {
      return
    } else if (event.key === 'Enter' || event.key === 'ContextMenu') {
      event.preventDefault()
      from.querySelector<HTMLElement>('.chat-acts')?.click()
    }
  }
  const stop = active !== null && ids.includes(active) ? active : last

  return (
    <div className="chat-frame">
      {ids.length === 0 && <p className="chat-empty">{empty}</p>}
      <div ref={box} className="chat-scroll" onScroll={scrolled} data-virtual="">
        <ul aria-label={label} className="chat-list" style={{ height: list.getTotalSize() }} onKeyDown={press}>
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
                tabIndex={id === stop ? 0 : -1}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setActive(id)}
              >
                {row(index)}
              </li>
            )
          })}
        </ul>
      </div>
      {!atEnd && ids.length > 0 && (
        <button
          type="button"
          className="chat-jump btn btn-sm btn-primary"
          onClick={() => {
            list.scrollToEnd()
            setAtEnd(true)
          }}
        >
          {fresh > 0 ? t('meeting:chat.jump', { count: fresh }) : t('meeting:chat.bottom')} ↓
        </button>
      )}
    </div>
  )
}
