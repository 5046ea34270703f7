import type { RichTextProps } from './rich-text-props.ts'
import './editor.css'
import { type ComponentType, useEffect, useState } from 'react'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** A rich-text field. The editor library is loaded after rendering; until then the plain text is shown. */
export function RichText(props: RichTextProps) {
  const [Field, setField] = useState<ComponentType<RichTextProps> | null>(null)
  useEffect(() => {
    let isUnmounted = false
    void import('./RichTextField.tsx').then(({ RichTextField }) => {
      if (!isUnmounted) setField(() => RichTextField)
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  if (Field) return <Field {...props} />
  return (
    <div className="field">
      <span className="field-label">{props.label}</span>
      <div className="rich-text" aria-busy="true">
        <p className="rich-text-content">{plainText(props.value)}</p>
      </div>
    </div>
  )
}

function plainText({ content }: Pick<LessonNode, 'content'>): string {
  return (content ?? []).map((node) => node.text ?? plainText(node)).join(' ')
}
