import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { AudioLines, Film } from 'lucide-react'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import { useDesk } from '../desk.ts'
import { usePlayback } from './use-playback.ts'

/** A film or a sound: its poster, its name, and what the school still makes of it. */
export function MediaView({ node }: NodeViewProps) {
  const { say, lesson } = useDesk()
  const kind = node.type.name === 'audio' ? 'audio' : 'video'
  const fileId = String(node.attrs.fileId)
  const found = usePlayback(fileId)
  const Icon = kind === 'audio' ? AudioLines : Film
  return (
    <NodeViewWrapper className="block-card block-media">
      <span className="block-poster">
        {found?.poster ? <img src={found.poster} alt="" draggable={false} /> : <Icon size={24} aria-hidden="true" />}
      </span>
      <span className="block-fill">
        <span className="block truncate font-medium">{found ? found.name : say(keyFrom(`editor:block.${kind}`))}</span>
        <span className="block text-muted text-sm">
          {found === null ? say('editor:media.gone') : say(keyFrom(`editor:block.${kind}`))}
        </span>
      </span>
      {lesson && found?.watches && (
        <button
          type="button"
          className="btn btn-sm"
          aria-label={say('editor:media.captionsOf', { name: found.name })}
          onClick={() => lesson.openCaptions({ fileId, name: found.name })}
        >
          {say('editor:media.captions')}
        </button>
      )}
    </NodeViewWrapper>
  )
}
