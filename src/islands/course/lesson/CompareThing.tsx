import { usePlayback } from '#islands/editor/blocks/use-playback.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { Thing } from './lesson-compare.ts'

interface Props {
  thing: Thing
  say: Say
}

const LOOKS = {
  added: 'border-success bg-success/10',
  removed: 'border-error bg-error/10 line-through decoration-error',
} as const

/** A picture, a film, a file or another block without words, framed as come or gone. */
export function CompareThing({ thing: { node, is }, say }: Props) {
  const Tag = is === 'added' ? 'ins' : 'del'
  return (
    <Tag className={`flex max-w-md items-center gap-3 rounded-field border-s-4 p-2 no-underline ${LOOKS[is]}`}>
      {node.type === 'image' && (
        <img
          src={String(node.attrs?.src)}
          alt=""
          className="size-16 shrink-0 rounded-field object-cover"
          loading="lazy"
        />
      )}
      <span className="min-w-0">
        <span className="block text-muted text-xs">
          {say(`editor:revision.${is}`)} · {say(keyFrom(`editor:block.${BLOCKS[node.type] ?? node.type}`))}
        </span>
        {node.type === 'video' || node.type === 'audio' ? (
          <Film fileId={String(node.attrs?.fileId)} say={say} />
        ) : (
          <span className="block break-words">{nameOf(node)}</span>
        )}
      </span>
    </Tag>
  )
}

/** Blocks whose label goes by another name. */
const BLOCKS: Record<string, string> = { horizontalRule: 'rule', upload: 'file' }

function Film({ fileId, say }: { fileId: string; say: Say }) {
  const found = usePlayback(fileId)
  return (
    <span className="flex items-center gap-2">
      {found?.poster && <img src={found.poster} alt="" className="h-12 rounded-field" loading="lazy" />}
      <span className="break-words">{found === null ? say('editor:media.gone') : (found?.name ?? '')}</span>
    </span>
  )
}

function nameOf({ attrs = {} }: LessonNode): string {
  const { alt, name, label, title, url } = attrs
  return String(alt || name || label || title || url || '')
}
