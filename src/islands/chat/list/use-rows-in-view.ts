import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import type { Conversation } from '../chat-props.ts'

/** Rows above and below the visible ones. */
const OVERSCAN = 8
/** The height of a row before it is measured, in pixels. */
const ROW_HEIGHT = 85

interface ConversationInView {
  conversation: Conversation
  index: number
  /** Its distance from the top of the list in pixels; null where all rows are in the document. */
  top: number | null
}

/**
 * The rows of the list that are near the visible part of the column, and the one with the focus. On the server and during
 * hydration all of them.
 */
export function useRowsInView(list: RefObject<HTMLElement | null>, conversations: readonly Conversation[]) {
  const isHydrated = useHydrated()
  const [focusedId, setFocused] = useState<string | null>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const column = useCallback(() => list.current?.closest('.chat-side') ?? null, [list])
  useLayoutEffect(() => {
    const [listBox, scroller] = [list.current?.getBoundingClientRect(), column()]
    if (listBox && scroller) setScrollMargin(listBox.top - scroller.getBoundingClientRect().top + scroller.scrollTop)
  }, [list, column])
  const focused = focusedId === null ? -1 : conversations.findIndex(({ id }) => id === focusedId)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return focused < 0 || indexes.includes(focused) ? indexes : [...indexes, focused].sort((a, b) => a - b)
    },
    [focused],
  )
  const virtual = useVirtualizer({
    count: conversations.length,
    enabled: isHydrated,
    getScrollElement: column,
    getItemKey: (index) => conversations[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    // Before the column is measured.
    initialRect: { width: 320, height: 800 },
    scrollMargin,
    rangeExtractor,
  })
  const rows: ConversationInView[] = isHydrated
    ? virtual.getVirtualItems().flatMap(({ index, start }) => {
        const conversation = conversations[index]
        return conversation ? [{ conversation, index, top: start - scrollMargin }] : []
      })
    : conversations.map((conversation, index) => ({ conversation, index, top: null }))
  return {
    /** Of the whole list, in pixels; null where it follows from the rows. */
    height: isHydrated ? virtual.getTotalSize() : null,
    rows,
    /** The reference of a row. Not before the rows are placed, because a row is measured when the reference is given. */
    measureRow: isHydrated ? virtual.measureElement : null,
    /** Keeps the row of a conversation in the document while it has the focus. */
    setFocused,
  }
}
