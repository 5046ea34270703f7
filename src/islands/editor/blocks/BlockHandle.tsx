import { NodeSelection } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import { GripVertical } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { useDesk } from '../desk.ts'
import { entriesFor } from './BlockMenu.tsx'
import { type Place, placeAt } from './block-acts.ts'

/** Beside the block under the pointer: drag it elsewhere, or press for what can be done with it. */
export function BlockHandle({ editor }: { editor: Editor }) {
  const { say } = useDesk()
  const [spot, setSpot] = useState<{ place: Place; top: number } | null>(null)
  const open = useRef(false)

  useEffect(() => {
    const text = editor.view.dom
    const frame = text.parentElement
    const look = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || open.current || event.buttons > 0) return
      const index = [...text.children].findIndex((child) => {
        const { top, bottom } = child.getBoundingClientRect()
        return event.clientY >= top - 4 && event.clientY <= bottom + 4
      })
      const place = placeOf(editor, text.children[index])
      if (!place || !frame) return
      const top = (text.children[index]?.getBoundingClientRect().top ?? 0) - frame.getBoundingClientRect().top
      setSpot((before) => (before?.place.from === place.from && before.top === top ? before : { place, top }))
    }
    const forget = () => {
      if (!open.current) setSpot(null)
    }
    const outer = frame?.parentElement
    outer?.addEventListener('pointermove', look)
    outer?.addEventListener('pointerleave', forget)
    editor.on('update', forget)
    return () => {
      outer?.removeEventListener('pointermove', look)
      outer?.removeEventListener('pointerleave', forget)
      editor.off('update', forget)
    }
  }, [editor])

  if (!spot) return null
  const drag = (event: DragEvent) => {
    const { state, view } = editor
    view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, spot.place.from)))
    const slice = view.state.selection.content()
    const { dom, text } = view.serializeForClipboard(slice)
    event.dataTransfer.setData('text/html', dom.innerHTML)
    event.dataTransfer.setData('text/plain', text)
    event.dataTransfer.effectAllowed = 'copyMove'
    // ProseMirror takes the block from its old place when it knows that this is a move.
    view.dragging = { slice, move: true }
  }
  return (
    <div className="block-handle" style={{ insetBlockStart: spot.top }}>
      <Menu
        trigger={
          <button
            type="button"
            draggable
            tabIndex={-1}
            aria-label={say('editor:act.label')}
            title={say('editor:act.handle')}
            onDragStart={drag}
            onPointerEnter={() => {
              open.current = false
            }}
          >
            <GripVertical size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        entries={entriesFor(editor, say, spot.place)}
      />
    </div>
  )
}

/** The block that an element of the text draws. */
function placeOf({ state, view }: Editor, element: Element | undefined): Place | null {
  if (!element) return null
  for (let index = 0; index < state.doc.childCount; index++) {
    const place = placeAt(index, state.doc)
    if (place && view.nodeDOM(place.from) === element) return place
  }
  return null
}
