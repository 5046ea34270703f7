import { EditorContent } from '@tiptap/react'
import { useId, useMemo } from 'react'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { BlockDialogs } from './blocks/BlockDialogs.tsx'
import { EditorToolbar } from './EditorToolbar.tsx'
import { type EditorContext, EditorContextProvider } from './editor-context.ts'
import type { RichTextProps } from './rich-text-props.ts'
import { useLessonEditor } from './use-lesson-editor.ts'

const noop = () => {}

/** The editor of RichText. */
export function RichTextField({
  value,
  onChange,
  onBlur = noop,
  label,
  hint,
  t,
  files = false,
  media = false,
  disabled = false,
}: RichTextProps) {
  const hintId = useId()
  const context = useMemo<EditorContext>(
    () => ({ t, locale: readPageLocale(), lesson: null, files, media }),
    [t, files, media],
  )
  const { editor, requested, request } = useLessonEditor({
    value,
    onChange,
    onBlur,
    editable: !disabled,
    context,
    label,
    className: 'rich-text-writing',
    describedBy: hint ? hintId : undefined,
  })
  return (
    <EditorContextProvider value={context}>
      <div className="field">
        {/* The editor is named by aria-label; this is the visible label. */}
        <span className="field-label" aria-hidden="true">
          {label}
        </span>
        <div className="rich-text">
          {editor && !disabled && <EditorToolbar editor={editor} onRequest={request} />}
          <EditorContent editor={editor} />
        </div>
        {hint && (
          <p id={hintId} className="field-hint">
            {hint}
          </p>
        )}
      </div>
      {editor && <BlockDialogs editor={editor} requested={requested} onDone={() => request(null)} />}
    </EditorContextProvider>
  )
}
