import type { DragEvent, MouseEvent, PointerEvent } from 'react'
import type { StorageI18n } from '../file-text.ts'
import type { ListedFile } from './listing-query.ts'

/** Props of a row, also on the server. */
export interface ItemProps {
  row: ListedFile
  i18n: StorageI18n
  /** Target of the name; null in the trash. */
  href: string | null
  /** The folder is shown: rows come from all folders. */
  anywhere: boolean
  trash: boolean
  /** Index in the list, from 0. */
  place: number
  actions?: ItemActions | undefined
}

/** State and handlers of an interactive row. */
export interface ItemActions {
  isSelected: boolean
  isActive: boolean
  isRenaming: boolean
  /** Cut and not yet pasted. */
  isCut: boolean
  /** Files are dragged over it. */
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

export const rowElementId = (row: Pick<ListedFile, 'id'>): string => `file-${row.id}`

/** Attributes of rows and tiles. */
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
