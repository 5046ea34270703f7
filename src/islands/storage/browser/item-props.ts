import type { DragEvent, MouseEvent, PointerEvent } from 'react'
import type { Words } from '../file-text.ts'
import type { Row } from './listing-query.ts'

/** What a row is drawn from, on the server too. */
export interface ItemProps {
  row: Row
  words: Words
  /** Where its name leads; null in the trash. */
  href: string | null
  /** Its folder is named: it may lie anywhere. */
  anywhere: boolean
  trash: boolean
  /** From 0. */
  place: number
  live?: ItemLife | undefined
}

/** What a row is and does once it lives. */
export interface ItemLife {
  chosen: boolean
  active: boolean
  renaming: boolean
  /** Cut and not yet put elsewhere. */
  leaving: boolean
  /** Something is held over it that could be dropped into it. */
  receiving: boolean
  onPress: (event: MouseEvent) => void
  onOpen: (event: MouseEvent) => void
  onTurn: () => void
  onMenu: (event: MouseEvent) => void
  onRenamed: (name: string | null) => void
  onRetry: () => void
  hold: { onPointerDown: (event: PointerEvent) => void; onPointerUp: () => void; onPointerCancel: () => void }
  drag: {
    draggable: boolean
    onDragStart: (event: DragEvent) => void
    onDragOver: (event: DragEvent) => void
    onDragLeave: () => void
    onDrop: (event: DragEvent) => void
  }
}

export const idOf = (row: Pick<Row, 'id'>): string => `file-${row.id}`

/** Attributes that a line and a tile have in common. */
export function frameOf({ row, live }: ItemProps) {
  return {
    id: idOf(row),
    'data-kind': row.kind,
    'aria-selected': live?.chosen ?? false,
    ...(live && {
      'data-active': live.active || undefined,
      'data-leaving': live.leaving || undefined,
      'data-receiving': live.receiving || undefined,
      onClick: live.onPress,
      onDoubleClick: live.onOpen,
      onContextMenu: live.onMenu,
      ...live.hold,
      ...live.drag,
    }),
  }
}
