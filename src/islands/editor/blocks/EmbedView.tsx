import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { useEditorContext } from '../editor-context.ts'

/**
 * Content of another site. The frame is loaded on click, as for readers, so that opening a lesson sends no request to
 * it.
 */
export function EmbedView({ node, updateAttributes, editor }: NodeViewProps) {
  const { t } = useEditorContext()
  const [isFrameShown, setIsFrameShown] = useState(false)
  const embed = parseEmbed(String(node.attrs.url ?? ''))
  if (!embed) return <NodeViewWrapper className="block-card">{String(node.attrs.url)}</NodeViewWrapper>
  const title = String(node.attrs.title ?? '')
  return (
    <NodeViewWrapper className="block-embed">
      {isFrameShown ? (
        <div className="lesson-embed" data-shown="">
          <iframe
            src={embed.url}
            title={title || embed.provider}
            allow="fullscreen; picture-in-picture; encrypted-media"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        </div>
      ) : (
        <button type="button" className="lesson-embed" onClick={() => setIsFrameShown(true)}>
          <Play size={28} strokeWidth={1.75} aria-hidden="true" />
          <span className="lesson-file-name">{title ? `${embed.provider}: ${title}` : embed.provider}</span>
          <span className="lesson-file-note">{t('editor:read.embed', { site: embed.provider })}</span>
        </button>
      )}
      <input
        type="text"
        className="block-text"
        aria-label={t('editor:embed.title')}
        placeholder={t('editor:embed.title')}
        maxLength={200}
        readOnly={!editor.isEditable}
        value={title}
        onChange={(event) => updateAttributes({ title: event.target.value })}
      />
    </NodeViewWrapper>
  )
}
