import { type Editor, useEditor } from '@tiptap/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { showNotice } from '#islands/stores/notice.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { canonicalDocOf } from './blocks/canonical.ts'
import { availableBlocks, type DialogBlock } from './blocks/catalogue.ts'
import { followUploads, insertFiles } from './blocks/upload-blocks.ts'
import type { EditorContext } from './editor-context.ts'
import { emptyHint } from './empty-hint.ts'
import { lessonExtensions } from './extensions.ts'
import { insertChoice } from './InsertMenu.tsx'
import { cleanPaste } from './paste/clean-paste.ts'
import { handleFiles, handlePaste } from './paste/paste.ts'
import { showDocument } from './show-document.ts'
import { slashMenu } from './slash-menu.ts'

interface EditorOptions {
  /** A value other than the last emitted one replaces the document, as after a conflict. */
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  onBlur: () => void
  editable: boolean
  context: EditorContext
  label: string
  className: string
  /** Id of the describing element. */
  describedBy?: string | undefined
}

export interface LessonEditorHandle {
  editor: Editor | null
  /** The block whose dialog is requested. */
  requested: DialogBlock | null
  request: (requested: DialogBlock | null) => void
}

/** An editor of a lesson document. Saving is the responsibility of the caller. */
export function useLessonEditor({
  value,
  editable,
  context,
  label,
  className,
  describedBy,
  ...callbacks
}: EditorOptions): LessonEditorHandle {
  const [requested, setRequested] = useState<DialogBlock | null>(null)
  const emitted = useRef(value)
  const latest = useRef({ ...callbacks, context })
  latest.current = { ...callbacks, context }
  const editor = useEditor({
    extensions: [
      ...lessonExtensions(context.t),
      emptyHint(context.t('editor:slash.hint')),
      slashMenu({
        t: context.t,
        choices: () => availableBlocks(latest.current.context),
        choose: (choice, target) => insertChoice(choice, target, setRequested),
      }),
    ],
    content: value,
    editable,
    injectCSS: false,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        class: `prose-lesson ${className}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-placeholder': context.t('editor:slash.hint'),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      },
      transformPastedHTML: (html, view) => {
        const { html: cleaned, pictures, lostPictureCount } = cleanPaste(html)
        const target = editorByDom.get(view.dom)
        // Images are inserted after the pasted text, which is not in the document yet.
        if (target && pictures.length > 0 && latest.current.context.files) {
          setTimeout(() => insertFiles(target, pictures))
        }
        if (lostPictureCount > 0)
          showNotice('info', latest.current.context.t('editor:paste.pictures', { count: lostPictureCount }))
        return cleaned
      },
      handlePaste: (view, event) => {
        const target = editorByDom.get(view.dom)
        return target ? handlePaste(target, latest.current.context, event.clipboardData) : false
      },
      handleDrop: (view, event, _slice, isMove) => {
        const target = editorByDom.get(view.dom)
        if (isMove || !target) return false
        const position = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        return handleFiles(target, latest.current.context, event.dataTransfer, position)
      },
    },
    onCreate: ({ editor: created }) => editorByDom.set(created.view.dom, created),
    onUpdate: ({ editor: updated }) => {
      emitted.current = canonicalDocOf(updated.state.doc)
      latest.current.onChange(emitted.current)
    },
    onBlur: () => latest.current.onBlur(),
  })

  useEffect(() => {
    editor?.setEditable(editable, false)
  }, [editor, editable])

  // A layout effect, because a key press in between would be lost, and the cursor would leave the editor.
  useLayoutEffect(() => {
    if (!editor || value === emitted.current) return
    emitted.current = value
    showDocument(editor, value)
  }, [editor, value])

  const allowsMedia = context.lesson !== null || context.media
  const followsUploads = editable && (context.files || allowsMedia)
  useEffect(
    () => (editor && followsUploads ? followUploads(editor, allowsMedia) : undefined),
    [editor, followsUploads, allowsMedia],
  )

  return { editor, requested: requested, request: setRequested }
}

/** ProseMirror's hooks only receive the view. */
const editorByDom = new WeakMap<HTMLElement, Editor>()
