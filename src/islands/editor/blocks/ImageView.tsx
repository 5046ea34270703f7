import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { useEditorContext } from '../editor-context.ts'

/** An image with its alternative text. */
export function ImageView({ node, updateAttributes, editor }: NodeViewProps) {
  const { t } = useEditorContext()
  const { src, alt } = node.attrs
  return (
    <NodeViewWrapper className="block-image">
      <img src={String(src)} alt={String(alt ?? '')} draggable={false} />
      <input
        type="text"
        className="block-text"
        aria-label={t('editor:image.alt')}
        placeholder={t('editor:image.short')}
        title={t('editor:image.alt')}
        maxLength={500}
        readOnly={!editor.isEditable}
        value={String(alt ?? '')}
        onChange={(event) => updateAttributes({ alt: event.target.value })}
      />
    </NodeViewWrapper>
  )
}
