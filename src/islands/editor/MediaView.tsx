import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { AudioLines, Film } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import { keyFrom } from '#lib/core/shared/message-key.ts'
import { useDesk } from './desk.ts'

type Playback = Awaited<ReturnType<typeof api.storage.getPlayback>>

/** A film or a sound: its poster, its name, and what the school still makes of it. */
export function MediaView({ node }: NodeViewProps) {
  const { say } = useDesk()
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
    </NodeViewWrapper>
  )
}

/** Undefined while it is asked for; null when the storage has no such file any more. */
function usePlayback(fileId: string): Playback | null | undefined {
  const [found, setFound] = useState<Playback | null>()
  useEffect(() => {
    let gone = false
    const look = () =>
      void api.storage.getPlayback({ fileId }, { context: { quiet: true } }).then(
        (playback) => !gone && setFound(playback),
        (error) => !gone && setFound(error?.status === 404 ? null : undefined),
      )
    look()
    const end = subscribe<{ fileId: string | null }>('storage', (told) => told.fileId === fileId && look(), look)
    return () => {
      gone = true
      end()
    }
  }, [fileId])
  return found
}
