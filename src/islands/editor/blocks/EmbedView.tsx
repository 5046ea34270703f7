import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { embedOf } from '#lib/core/shared/embed.ts'
import { useDesk } from '../desk.ts'

/** Something of another site. Its frame comes by a click, as for readers: opening a lesson tells nobody about it. */
export function EmbedView({ node, updateAttributes, editor }: NodeViewProps) {
  const { say } = useDesk()
  const [shown, setShown] = useState(false)
  const found = embedOf(String(node.attrs.url ?? ''))
  if (!found) return <NodeViewWrapper className="block-card">{String(node.attrs.url)}</NodeViewWrapper>
  const title = String(node.attrs.title ?? '')
  return (
    <NodeViewWrapper className="block-embed">
      {shown ? (
        <div className="lesson-embed" data-shown="">
          <iframe
            src={found.url}
            title={title || found.provider}
            allow="fullscreen; picture-in-picture; encrypted-media"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        </div>
      ) : (
        <button type="button" className="lesson-embed" onClick={() => setShown(true)}>
          <Play size={28} strokeWidth={1.75} aria-hidden="true" />
          <span className="lesson-file-name">{title ? `${found.provider}: ${title}` : found.provider}</span>
          <span className="lesson-file-note">{say('editor:read.embed', { site: found.provider })}</span>
        </button>
      )}
      <input
        type="text"
        className="block-words"
        aria-label={say('editor:embed.title')}
        placeholder={say('editor:embed.title')}
        maxLength={200}
        readOnly={!editor.isEditable}
        value={title}
        onChange={(event) => updateAttributes({ title: event.target.value })}
      />
    </NodeViewWrapper>
  )
}
