import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { FileText, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { useEditorContext } from '../editor-context.ts'

/** A downloadable file or PDF with an editable name. */
export function FileView({ node, updateAttributes, editor }: NodeViewProps) {
  const { t } = useEditorContext()
  const name = String(node.attrs.name ?? '')
  const [typed, setTyped] = useState<string | null>(null)
  const Icon = node.type.name === 'pdf' ? FileText : Paperclip
  return (
    <NodeViewWrapper className="block-card">
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <input
        type="text"
        className="block-text font-medium"
        aria-label={t('editor:file.name')}
        maxLength={200}
        readOnly={!editor.isEditable}
        value={typed ?? name}
        onChange={({ target: { value } }) => {
          setTyped(value)
          // An empty name is not stored: a file block requires a name.
          if (value.trim()) updateAttributes({ name: value })
        }}
        onBlur={() => setTyped(null)}
      />
      <span className="block-kind">{t(node.type.name === 'pdf' ? 'editor:block.pdf' : 'editor:block.file')}</span>
    </NodeViewWrapper>
  )
}
