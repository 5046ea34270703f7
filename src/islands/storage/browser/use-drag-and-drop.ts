import { type DragEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { holdsFiles, holdsOwn, OWN } from './dropped-files.ts'

const LONG_MS = 500

interface Wishes {
  /** The rows that go along when this one is taken. */
  taken: (id: string) => string[]
  onMove: (ids: string[], folderId: string | null, copies: boolean) => void
  onFiles: (data: DataTransfer, folderId: string | null) => void
  onLongPress: (id: string) => void
  writes: boolean
  /** Where files from outside go that are dropped on no folder. */
  here: string | null
}

/** Dragging of rows onto folders, of files into the page, and a long touch. */
export function useHolding(wishes: Wishes) {
  const latest = useRef(wishes)
  latest.current = wishes
  const [over, setOver] = useState<string | null | undefined>(undefined)
  const [veil, setVeil] = useState(false)
  const touch = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; type: string; held: boolean }>({
    timer: undefined,
    type: 'mouse',
    held: false,
  })

  useEffect(() => {
    const { writes } = latest.current
    if (!writes) return
    const enter = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer || !holdsFiles(event.dataTransfer) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      setVeil(true)
    }
    const leave = (event: globalThis.DragEvent) => {
      if (event.relatedTarget === null) setVeil(false)
    }
    const drop = (event: globalThis.DragEvent) => {
      setVeil(false)
      if (!event.dataTransfer || !holdsFiles(event.dataTransfer) || event.defaultPrevented) return
      event.preventDefault()
      latest.current.onFiles(event.dataTransfer, latest.current.here)
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
        if (!latest.current.writes || !(holdsOwn(event.dataTransfer) || holdsFiles(event.dataTransfer))) return
        event.preventDefault()
        setOver(folderId)
      },
      onLeave: () => setOver(undefined),
      onDrop: (event: DragEvent, folderId: string | null) => {
        setOver(undefined)
        setVeil(false)
        event.preventDefault()
        const own = event.dataTransfer.getData(OWN)
        if (own) latest.current.onMove(JSON.parse(own), folderId, event.ctrlKey || event.altKey)
        else latest.current.onFiles(event.dataTransfer, folderId)
      },
    }),
    [],
  )

  const dragOf = (row: { id: string; kind: string }) => ({
    draggable: wishes.writes,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(OWN, JSON.stringify(latest.current.taken(row.id)))
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
  const holdOf = (id: string) => ({
    onPointerDown: (event: PointerEvent) => {
      cancel()
      touch.current = { timer: undefined, type: event.pointerType, held: false }
      if (event.pointerType !== 'touch') return
      touch.current.timer = setTimeout(() => {
        touch.current.held = true
        latest.current.onLongPress(id)
      }, LONG_MS)
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
  })

  return { over, veil, receiver, dragOf, holdOf, pointer: touch }
}
