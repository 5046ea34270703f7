import './lesson.css'
import '#islands/editor/editor.css'
import { EditorContent } from '@tiptap/react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { BlockDialogs } from '#islands/editor/blocks/BlockDialogs.tsx'
import { BlockHandle } from '#islands/editor/blocks/BlockHandle.tsx'
import { type EditorContext, EditorContextProvider, pageLocale } from '#islands/editor/editor-context.ts'
import { HintList } from '#islands/editor/HintList.tsx'
import { Toolbar } from '#islands/editor/Toolbar.tsx'
import { useLessonEditor } from '#islands/editor/use-lesson-editor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { TakeTyped } from './lesson.ts'
import { lessonDesk } from './lesson-tasks.ts'

interface Props {
  lessonId: string
  /** The document to show. Another one than the last given out takes the editor's place, as after a conflict. */
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  onBlur: () => void
  /** False until the words that this device keeps are back: what is typed before them would be lost. */
  editable: boolean
  /** What was typed before the editor came; asked for once, when it becomes editable. */
  takeTyped: TakeTyped | null
  t: Translate
  /** Stands between the toolbar and the text: the lesson's title. */
  children?: ReactNode
}

/** The text of a lesson with its toolbar. It knows nothing of saving. */
export function LessonBody({ lessonId, value, onChange, onBlur, editable, takeTyped, t, children }: Props) {
  // The words of a page do not change while it is shown; a new desk would draw every block anew.
  const [text] = useState(() => t)
  const context = useMemo<EditorContext>(
    () => ({ t: text, locale: pageLocale(), lesson: lessonDesk(lessonId), files: true }),
    [lessonId, text],
  )
  const { editor, requested, request } = useLessonEditor({
    value,
    onChange,
    onBlur,
    editable,
    context: context,
    label: t('course:lesson.text'),
    className: 'lesson-writing',
  })
  const closeDialog = useCallback(() => request(null), [request])

  useEffect(() => {
    if (!editor || !editable || !takeTyped) return
    editor.view.focus()
    const text = takeTyped()
    if (text) editor.commands.insertContent(text.split('\n').map(toParagraph))
  }, [editor, editable, takeTyped])

  return (
    <EditorContextProvider value={context}>
      <div className="card-line">
        {editor && <Toolbar editor={editor} onRequest={request} />}
        <div className="lesson-paper">
          {children}
          <div className="relative">
            <EditorContent editor={editor} />
            {editor && editable && <BlockHandle editor={editor} />}
          </div>
        </div>
        {editor && <HintList editor={editor} doc={value} />}
      </div>
      {editor && <BlockDialogs editor={editor} requested={requested} onDone={closeDialog} />}
    </EditorContextProvider>
  )
}

function toParagraph(text: string) {
  return { type: 'paragraph', content: text ? [{ type: 'text', text }] : [] }
}
