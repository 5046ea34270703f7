import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { useState } from 'react'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { useDesk } from '../desk.ts'
import { addressOf } from '../link-address.ts'

/** A button with its words and address. What is typed is kept once it makes a button: a lesson holds no broken one. */
export function ButtonView({ node, updateAttributes, editor }: NodeViewProps) {
  const { say } = useDesk()
  const [label, setLabel] = useState(String(node.attrs.label ?? ''))
  const [href, setHref] = useState(String(node.attrs.href ?? ''))
  const address = addressOf(href)
  const type = (words: string, place: string) => {
    setLabel(words)
    setHref(place)
    const typed = addressOf(place)
    if (words.trim() && isSafeHref(typed)) updateAttributes({ label: words.trim(), href: typed })
  }
  const wrong = !isSafeHref(address)
  return (
    <NodeViewWrapper className="block-card block-button">
      <input
        type="text"
        className="input"
        aria-label={say('editor:button.label')}
        placeholder={say('editor:button.label')}
        maxLength={80}
        readOnly={!editor.isEditable}
        value={label}
        onChange={(event) => type(event.target.value, href)}
      />
      <input
        type="text"
        inputMode="url"
        className="input"
        aria-label={say('editor:button.href')}
        placeholder="https://"
        aria-invalid={wrong}
        readOnly={!editor.isEditable}
        value={href}
        onChange={(event) => type(label, event.target.value)}
      />
      {wrong && <span className="field-error w-full">{say('editor:link.wrong')}</span>}
    </NodeViewWrapper>
  )
}
