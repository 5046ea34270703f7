import { EditorContent } from '@tiptap/react'
import { useId, useMemo } from 'react'
import { BlockDialogs } from './blocks/BlockDialogs.tsx'
import { type Desk, DeskContext, localeOfPage } from './desk.ts'
import type { RichTextProps } from './rich-text-props.ts'
import { Toolbar } from './Toolbar.tsx'
import { useWriter } from './use-writer.ts'

const nothing = () => {}

/** The field itself; RichText brings it when it is wanted. */
export function RichTextField({
  value,
  onChange,
  onBlur = nothing,
  label,
  hint,
  say,
  files = false,
  disabled = false,
}: RichTextProps) {
  const hintId = useId()
  const desk = useMemo<Desk>(() => ({ say, locale: localeOfPage(), lesson: null, files }), [say, files])
  const { editor, asked, ask } = useWriter({
    value,
    onChange,
    onBlur,
    editable: !disabled,
    desk,
    label,
    className: 'rich-text-writing',
    describedBy: hint ? hintId : undefined,
  })
  return (
    <DeskContext value={desk}>
      <div className="field">
        {/* The editor is named by aria-label; this is the same name for the eye. */}
        <span className="field-label" aria-hidden="true">
          {label}
        </span>
        <div className="rich-text">
          {editor && !disabled && <Toolbar editor={editor} onAsk={ask} />}
          <EditorContent editor={editor} />
        </div>
        {hint && (
          <p id={hintId} className="field-hint">
            {hint}
          </p>
        )}
      </div>
      {editor && <BlockDialogs editor={editor} asked={asked} onDone={() => ask(null)} />}
    </DeskContext>
  )
}
