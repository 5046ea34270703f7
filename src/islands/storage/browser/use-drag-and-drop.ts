import { type DragEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { hasFiles, hasRows, ROW_DATA_TYPE } from './dropped-files.ts'

const LONG_PRESS_MS = 500

interface DragOptions {
  /** The rows that are dragged with this one. */
  draggedIds: (id: string) => string[]
  onMove: (ids: string[], folderId: string | null, copies: boolean) => void
  onFiles: (data: DataTransfer, folderId: string | null) => void
  onLongPress: (id: string) => void
  canWrite: boolean
  /** Target of files dropped outside of a folder. */
  folderId: string | null
}

/** Drag and drop of rows to folders and of files into the page, and long press. */
export function useDragAndDrop(options: DragOptions) {
  const latest = useRef(options)
  latest.current = options
  const [over, setOver] = useState<string | null | undefined>(undefined)
  const [isDraggingFiles, setIsDraggingFiles] = useState(false)
  const touch = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; type: string; isLongPress: boolean }>({
    timer: undefined,
    type: 'mouse',
    isLongPress: false,
  })

  useEffect(() => {
    const { canWrite } = latest.current
    if (!canWrite) return
    const enter = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      setIsDraggingFiles(true)
    }
    const leave = (event: globalThis.DragEvent) => {
      if (event.relatedTarget === null) setIsDraggingFiles(false)
    }
    const drop = (event: globalThis.DragEvent) => {
      setIsDraggingFiles(false)
      if (!event.dataTransfer || !hasFiles(event.dataTransfer) || event.defaultPrevented) return
      event.preventDefault()
      latest.current.onFiles(event.dataTransfer, latest.current.folderId)
    }
    document.addEventListener('dragover', enter)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', enter)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])

  const receiver = useMemo(
    () => ({
      onOver: (event: DragEvent, folderId: string | null) => {
        if (!latest.current.canWrite || !(hasRows(event.dataTransfer) || hasFiles(event.dataTransfer))) return
        event.preventDefault()
        setOver(folderId)
      },
      onLeave: () => setOver(undefined),
      onDrop: (event: DragEvent, folderId: string | null) => {
        setOver(undefined)
        setIsDraggingFiles(false)
        event.preventDefault()
        const own = event.dataTransfer.getData(ROW_DATA_TYPE)
        if (own) latest.current.onMove(JSON.parse(own), folderId, event.ctrlKey || event.altKey)
        else latest.current.onFiles(event.dataTransfer, folderId)
      },
    }),
    [],
  )

  const dragOf = (row: { id: string; kind: string }) => ({
    draggable: options.canWrite,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(ROW_DATA_TYPE, JSON.stringify(latest.current.draggedIds(row.id)))
      event.dataTransfer.effectAllowed = 'copyMove'
    },
    onDragOver: (event: DragEvent) => {
      if (row.kind === 'folder') receiver.onOver(event, row.id)
    },
    onDragLeave: receiver.onLeave,
    onDrop: (event: DragEvent) => {
      if (row.kind === 'folder') receiver.onDrop(event, row.id)
    },
  })

  const cancel = () => clearTimeout(touch.current.timer)
  const longPressOf = (id: string) => ({
    onPointerDown: (event: PointerEvent) => {
      cancel()
      touch.current = { timer: undefined, type: event.pointerType, isLongPress: false }
      if (event.pointerType !== 'touch') return
      touch.current.timer = setTimeout(() => {
        touch.current.isLongPress = true
        latest.current.onLongPress(id)
      }, LONG_PRESS_MS)
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
  })

  return { over, isDraggingFiles, receiver, dragOf, longPressOf, pointer: touch }
}
