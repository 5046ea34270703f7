import type { DragEvent, MouseEvent, PointerEvent } from 'react'
import type { StorageI18n } from '../file-text.ts'
import type { Row } from './listing-query.ts'

/** What a row is drawn from, on the server too. */
export interface ItemProps {
  row: Row
  i18n: StorageI18n
  /** Where its name leads; null in the trash. */
  href: string | null
  /** Its folder is named: it may lie anywhere. */
  anywhere: boolean
  trash: boolean
  /** From 0. */
  place: number
  actions?: ItemActions | undefined
}

/** What a row is and does once it lives. */
export interface ItemActions {
  isSelected: boolean
  isActive: boolean
  isRenaming: boolean
  /** Cut and not yet put elsewhere. */
  isCut: boolean
  /** Something is held over it that could be dropped into it. */
  isDropTarget: boolean
  onPress: (event: MouseEvent) => void
  onOpen: (event: MouseEvent) => void
  onToggle: () => void
  onMenu: (event: MouseEvent) => void
  onRenamed: (name: string | null) => void
  onRetry: () => void
  longPress: { onPointerDown: (event: PointerEvent) => void; onPointerUp: () => void; onPointerCancel: () => void }
  drag: {
    draggable: boolean
    onDragStart: (event: DragEvent) => void
    onDragOver: (event: DragEvent) => void
    onDragLeave: () => void
    onDrop: (event: DragEvent) => void
  }
}

export const rowElementId = (row: Pick<Row, 'id'>): string => `file-${row.id}`

/** Attributes that a line and a tile have in common. */
export function itemAttributes({ row, actions: live }: ItemProps) {
  return {
    id: rowElementId(row),
    'data-kind': row.kind,
    'aria-selected': live?.isSelected ?? false,
    ...(live && {
      'data-active': live.isActive || undefined,
      'data-leaving': live.isCut || undefined,
      'data-receiving': live.isDropTarget || undefined,
      onClick: live.onPress,
      onDoubleClick: live.onOpen,
      onContextMenu: live.onMenu,
      ...live.drag,
      ...live.drag,
    }),
  }
}
