import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { useDesk } from '../desk.ts'

/** A picture with its words beneath: whoever cannot see it is told what is on it. */
export function ImageView({ node, updateAttributes, editor }: NodeViewProps) {
  const { say } = useDesk()
  const { src, alt } = node.attrs
  return (
    <NodeViewWrapper className="block-image">
      <img src={String(src)} alt={String(alt ?? '')} draggable={false} />
      <input
        type="text"
        className="block-words"
        aria-label={say('editor:image.alt')}
        placeholder={say('editor:image.short')}
        title={say('editor:image.alt')}
        maxLength={500}
        readOnly={!editor.isEditable}
        value={String(alt ?? '')}
        onChange={(event) => updateAttributes({ alt: event.target.value })}
      />
    </NodeViewWrapper>
  )
}
