import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { useState } from 'react'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { useEditorContext } from '../editor-context.ts'
import { normalizeAddress } from '../link-address.ts'

/** A button block. Input is stored when it is valid. */
export function ButtonView({ node, updateAttributes, editor }: NodeViewProps) {
  const { t } = useEditorContext()
  const [label, setLabel] = useState(String(node.attrs.label ?? ''))
  const [href, setHref] = useState(String(node.attrs.href ?? ''))
  const address = normalizeAddress(href)
  const onInput = (nextLabel: string, nextHref: string) => {
    setLabel(nextLabel)
    setHref(nextHref)
    const typed = normalizeAddress(nextHref)
    if (nextLabel.trim() && isSafeHref(typed)) updateAttributes({ label: nextLabel.trim(), href: typed })
  }
  const isInvalid = !isSafeHref(address)
  return (
    <NodeViewWrapper className="block-card block-button">
      <input
        type="text"
        className="input"
        aria-label={t('editor:button.label')}
        placeholder={t('editor:button.label')}
        maxLength={80}
        readOnly={!editor.isEditable}
        value={label}
        onChange={(event) => onInput(event.target.value, href)}
      />
      <input
        type="text"
        inputMode="url"
        className="input"
        aria-label={t('editor:button.href')}
        placeholder="https://"
        aria-invalid={isInvalid}
        readOnly={!editor.isEditable}
        value={href}
        onChange={(event) => onInput(label, event.target.value)}
      />
      {isInvalid && <span className="field-error w-full">{t('editor:link.wrong')}</span>}
    </NodeViewWrapper>
  )
}
