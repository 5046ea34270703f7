import { NodeSelection } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import { GripVertical } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { useEditorContext } from '../editor-context.ts'
import { blockMenuEntries } from './BlockMenu.tsx'
import { type BlockRange, blockAt } from './block-commands.ts'

/** Handle of the block under the pointer: drag to move, click for actions. */
export function BlockHandle({ editor }: { editor: Editor }) {
  const { t } = useEditorContext()
  const [position, setPosition] = useState<{ place: BlockRange; top: number } | null>(null)
  const open = useRef(false)

  useEffect(() => {
    const text = editor.view.dom
    const frame = text.parentElement
    const findBlockUnderPointer = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || open.current || event.buttons > 0) return
      const index = [...text.children].findIndex((child) => {
        const { top, bottom } = child.getBoundingClientRect()
        return event.clientY >= top - 4 && event.clientY <= bottom + 4
      })
      const place = blockOfElement(editor, text.children[index])
      if (!place || !frame) return
      const top = (text.children[index]?.getBoundingClientRect().top ?? 0) - frame.getBoundingClientRect().top
      setPosition((before) => (before?.place.from === place.from && before.top === top ? before : { place, top }))
    }
    const hideHandle = () => {
      if (!open.current) setPosition(null)
    }
    const outer = frame?.parentElement
    outer?.addEventListener('pointermove', findBlockUnderPointer)
    outer?.addEventListener('pointerleave', hideHandle)
    editor.on('update', hideHandle)
    return () => {
      outer?.removeEventListener('pointermove', findBlockUnderPointer)
      outer?.removeEventListener('pointerleave', hideHandle)
      editor.off('update', hideHandle)
    }
  }, [editor])

  if (!position) return null
  const onDragStart = (event: DragEvent) => {
    const { state, view } = editor
    view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, position.place.from)))
    const slice = view.state.selection.content()
    const { dom, text } = view.serializeForClipboard(slice)
    event.dataTransfer.setData('text/html', dom.innerHTML)
    event.dataTransfer.setData('text/plain', text)
    event.dataTransfer.effectAllowed = 'copyMove'
    // ProseMirror removes the original when the drag is a move.
    view.dragging = { slice, move: true }
  }
  return (
    <div className="block-handle" style={{ insetBlockStart: position.top }}>
      <Menu
        trigger={
          <button
            type="button"
            draggable
            tabIndex={-1}
            aria-label={t('editor:act.label')}
            title={t('editor:act.handle')}
            onDragStart={onDragStart}
            onPointerEnter={() => {
              open.current = false
            }}
          >
            <GripVertical size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        entries={blockMenuEntries(editor, t, position.place)}
      />
    </div>
  )
}

/** The block rendered by a DOM element. */
function blockOfElement({ state, view }: Editor, element: Element | undefined): BlockRange | null {
  if (!element) return null
  for (let index = 0; index < state.doc.childCount; index++) {
    const block = blockAt(index, state.doc)
    if (block && view.nodeDOM(block.from) === element) return block
  }
  return null
}
