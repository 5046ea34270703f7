import './lesson.css'
import { EditorContent, useEditor } from '@tiptap/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { canonical } from '#islands/editor/canonical.ts'
import { fail } from '#islands/stores/notice.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Say } from '#lib/core/shared/strings.ts'
import type { Typed } from './lesson.ts'
import { uploadImage } from './lesson-draft.ts'
import { lessonExtensions } from './lesson-extensions.ts'
import { Toolbar } from './Toolbar.tsx'

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
export function LessonBody({ value, onChange, onBlur, editable, typed, say, children }: Props) {
  const emitted = useRef(value)
  const latest = useRef({ onChange, onBlur })
  latest.current = { onChange, onBlur }
  const editor = useEditor({
    extensions: lessonExtensions({ done: say('course:state.done') }),
    content: value,
    editable: false,
    injectCSS: false,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        ...{ class: 'prose-lesson lesson-writing', role: 'textbox', 'aria-multiline': 'true' },
        'aria-label': say('course:lesson.text'),
      },
      handlePaste: (_view, event) => takeImages(event.clipboardData),
      handleDrop: (_view, event) => takeImages(event.dataTransfer),
    },
    onUpdate: ({ editor: changed }) => {
      emitted.current = canonical(changed.getJSON())
      latest.current.onChange(emitted.current)
    },
    onBlur: () => latest.current.onBlur(),
  })

  const takeImages = (data: DataTransfer | null): boolean => {
    const images = [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))
    for (const image of images) void insertImage(image, '')
    return images.length > 0
  }
  const insertImage = async (file: File, alt: string): Promise<void> => {
    try {
      const src = await uploadImage(file)
      editor?.chain().focus().insertContent({ type: 'image', attrs: { src, alt } }).run()
    } catch (error) {
      fail((error instanceof Error && error.message) || say('course:lesson.imageFailed'))
    }
  }

  useEffect(() => {
    if (!editor || !editable) return
    editor.setEditable(true, false)
    if (!typed) return
    editor.view.focus()
    const words = typed()
    if (words) editor.commands.insertContent(words.split('\n').map(paragraph))
  }, [editor, editable, typed])

  useEffect(() => {
    if (!editor || value === emitted.current) return
    emitted.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <div className="card-line">
      {editor && <Toolbar editor={editor} say={say} onImage={insertImage} />}
      <div className="p-4 sm:p-6">
        {children}
        <EditorContent editor={editor} />
      </div>
    </div>
  )
}

function paragraph(text: string) {
  return { type: 'paragraph', content: text ? [{ type: 'text', text }] : [] }
}
