import { readPageLocale } from '#islands/stores/page-locale.ts'
import './lesson.css'
import '#islands/editor/editor.css'
import { EditorContent } from '@tiptap/react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { BlockDialogs } from '#islands/editor/blocks/BlockDialogs.tsx'
import { BlockHandle } from '#islands/editor/blocks/BlockHandle.tsx'
import { EditorToolbar } from '#islands/editor/EditorToolbar.tsx'
import { type EditorContext, EditorContextProvider } from '#islands/editor/editor-context.ts'
import { HintList } from '#islands/editor/HintList.tsx'
import { useLessonEditor } from '#islands/editor/use-lesson-editor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { TakeTyped } from './lesson.ts'
import { createLessonActions } from './lesson-tasks.ts'

interface Props {
  lessonId: string
  courseId: string
  /** The document. A value other than the last emitted one replaces the editor's content, as after a conflict. */
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  onBlur: () => void
  /** False until the local draft is restored, so that typed text is not lost. */
  editable: boolean
  /** Returns text typed before the editor was loaded; called once, when it becomes editable. */
  takeTyped: TakeTyped | null
  t: Translate
  /** Rendered between the toolbar and the text: the lesson's title. */
  children?: ReactNode
}

/** The lesson's editor with its toolbar. Saving is done by the parent. */
export function LessonBody({ lessonId, courseId, value, onChange, onBlur, editable, takeTyped, t, children }: Props) {
  // Labels do not change while the page is shown; a new context would re-render every block.
  const [text] = useState(() => t)
  const context = useMemo<EditorContext>(
    () => ({
      t: text,
      locale: readPageLocale(),
      lesson: createLessonActions({ lessonId, courseId }),
      files: true,
      media: true,
    }),
    [lessonId, courseId, text],
  )
  const { editor, requested, request } = useLessonEditor({
    value,
    onChange,
    onBlur,
    editable,
    context,
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
        {editor && <EditorToolbar editor={editor} onRequest={request} />}
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
