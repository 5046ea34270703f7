import './lesson.css'
import '#islands/editor/editor.css'
import { EditorContent } from '@tiptap/react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { BlockDialogs } from '#islands/editor/blocks/BlockDialogs.tsx'
import { BlockHandle } from '#islands/editor/blocks/BlockHandle.tsx'
import { type Desk, DeskContext, localeOfPage } from '#islands/editor/desk.ts'
import { HintList } from '#islands/editor/HintList.tsx'
import { Toolbar } from '#islands/editor/Toolbar.tsx'
import { useWriter } from '#islands/editor/use-writer.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { Typed } from './lesson.ts'
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
  typed: Typed | null
  say: Say
  /** Stands between the toolbar and the text: the lesson's title. */
  children?: ReactNode
}

/** The text of a lesson with its toolbar. It knows nothing of saving. */
export function LessonBody({ lessonId, value, onChange, onBlur, editable, typed, say, children }: Props) {
  // The words of a page do not change while it is shown; a new desk would draw every block anew.
  const [words] = useState(() => say)
  const desk = useMemo<Desk>(
    () => ({ say: words, locale: localeOfPage(), lesson: lessonDesk(lessonId), files: true }),
    [lessonId, words],
  )
  const { editor, asked, ask } = useWriter({
    value,
    onChange,
    onBlur,
    editable,
    desk,
    label: say('course:lesson.text'),
    className: 'lesson-writing',
  })
  const done = useCallback(() => ask(null), [ask])

  useEffect(() => {
    if (!editor || !editable || !typed) return
    editor.view.focus()
    const words = typed()
    if (words) editor.commands.insertContent(words.split('\n').map(paragraph))
  }, [editor, editable, typed])

  return (
    <DeskContext value={desk}>
      <div className="card-line">
        {editor && <Toolbar editor={editor} onAsk={ask} />}
        <div className="lesson-paper">
          {children}
          <div className="relative">
            <EditorContent editor={editor} />
            {editor && editable && <BlockHandle editor={editor} />}
          </div>
        </div>
        {editor && <HintList editor={editor} doc={value} />}
      </div>
      {editor && <BlockDialogs editor={editor} asked={asked} onDone={done} />}
    </DeskContext>
  )
}

function paragraph(text: string) {
  return { type: 'paragraph', content: text ? [{ type: 'text', text }] : [] }
}
