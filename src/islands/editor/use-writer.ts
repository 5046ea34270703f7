import { type Editor, useEditor } from '@tiptap/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '#islands/stores/notice.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { canonicalOf } from './blocks/canonical.ts'
import { type Asked, choicesFor } from './blocks/catalogue.ts'
import { followUploads, insertFiles } from './blocks/upload-blocks.ts'
import type { Desk } from './desk.ts'
import { emptyHint } from './empty-hint.ts'
import { lessonExtensions } from './extensions.ts'
import { choose } from './InsertMenu.tsx'
import { cleanPaste } from './paste/clean-paste.ts'
import { takeFiles, takePaste } from './paste/paste.ts'
import { showDocument } from './show-document.ts'
import { slashMenu } from './slash.ts'

interface Options {
  /** Another document than the last given out takes the editor's place, as after a conflict. */
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  onBlur: () => void
  editable: boolean
  desk: Desk
  label: string
  className: string
  /** The id of words that say more. */
  describedBy?: string | undefined
}

export interface Writer {
  editor: Editor | null
  /** The block that waits to be asked about. */
  asked: Asked | null
  ask: (asked: Asked | null) => void
}

/** An editor of a lesson's nodes. It knows nothing of saving. */
export function useWriter({ value, editable, desk, label, className, describedBy, ...told }: Options): Writer {
  const [asked, ask] = useState<Asked | null>(null)
  const emitted = useRef(value)
  const latest = useRef({ ...told, desk })
  latest.current = { ...told, desk }
  const editor = useEditor({
    extensions: [
      ...lessonExtensions(desk.say),
      emptyHint(desk.say('editor:slash.hint')),
      slashMenu({
        say: desk.say,
        choices: () => choicesFor(latest.current.desk),
        choose: (choice, writer) => choose(choice, writer, ask),
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
        'aria-placeholder': desk.say('editor:slash.hint'),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      },
      transformPastedHTML: (html, view) => {
        const { html: cleaned, pictures, lost } = cleanPaste(html)
        const writer = writerOf.get(view.dom)
        // They come behind the words, which are not in the text yet.
        if (writer && pictures.length > 0 && latest.current.desk.files) {
          setTimeout(() => insertFiles(writer, pictures))
        }
        if (lost > 0) notify('info', latest.current.desk.say('editor:paste.pictures', { count: lost }))
        return cleaned
      },
      handlePaste: (view, event) => {
        const writer = writerOf.get(view.dom)
        return writer ? takePaste(writer, latest.current.desk, event.clipboardData) : false
      },
      handleDrop: (view, event, _slice, moved) => {
        const writer = writerOf.get(view.dom)
        if (moved || !writer) return false
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        return takeFiles(writer, latest.current.desk, event.dataTransfer, at)
      },
    },
    onCreate: ({ editor: made }) => writerOf.set(made.view.dom, made),
    onUpdate: ({ editor: changed }) => {
      emitted.current = canonicalOf(changed.state.doc)
      latest.current.onChange(emitted.current)
    },
    onBlur: () => latest.current.onBlur(),
  })

  useEffect(() => {
    editor?.setEditable(editable, false)
  }, [editor, editable])

  // With the drawing itself: a key that came in between would be taken out of the editor, and the cursor with it.
  useLayoutEffect(() => {
    if (!editor || value === emitted.current) return
    emitted.current = value
    showDocument(editor, value)
  }, [editor, value])

  const films = desk.lesson !== null
  const follows = editable && (desk.files || films)
  useEffect(() => (editor && follows ? followUploads(editor, films) : undefined), [editor, follows, films])

  return { editor, asked, ask }
}

/** ProseMirror's own hooks know the view only. */
const writerOf = new WeakMap<HTMLElement, Editor>()
