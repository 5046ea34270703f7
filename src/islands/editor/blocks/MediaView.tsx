import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { AudioLines, Film } from 'lucide-react'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { useEditorContext } from '../editor-context.ts'
import { usePlayback } from './use-playback.ts'

/** A video or audio block with poster, name and captions. */
export function MediaView({ node }: NodeViewProps) {
  const { t, lesson } = useEditorContext()
  const kind = node.type.name === 'audio' ? 'audio' : 'video'
  const fileId = String(node.attrs.fileId)
  const media = usePlayback(fileId)
  const Icon = kind === 'audio' ? AudioLines : Film
  return (
    <NodeViewWrapper className="block-card">
      <span className="block-poster">
        {media?.poster ? <img src={media.poster} alt="" draggable={false} /> : <Icon size={24} aria-hidden="true" />}
      </span>
      <span className="block-fill">
        <span className="block truncate font-medium">{media ? media.name : t(keyFrom(`editor:block.${kind}`))}</span>
        <span className="block text-muted text-sm">
          {media === null ? t('editor:media.gone') : t(keyFrom(`editor:block.${kind}`))}
        </span>
      </span>
      {lesson && media?.canSubscribe && (
        <button
          type="button"
          className="btn btn-sm"
          aria-label={t('editor:media.captionsOf', { name: media.name })}
          onClick={() => lesson.openCaptions({ fileId, name: media.name })}
        >
          {t('editor:media.captions')}
        </button>
      )}
    </NodeViewWrapper>
  )
}
