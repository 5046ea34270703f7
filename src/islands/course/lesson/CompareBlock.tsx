import { usePlayback } from '#islands/editor/blocks/use-playback.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { BlockChange } from './lesson-compare.ts'

interface Props {
  change: BlockChange
  t: Translate
}

const STYLES = {
  added: 'border-success bg-success/10',
  removed: 'border-error bg-error/10 line-through decoration-error',
} as const

/** A block without text, marked as added or removed. */
export function CompareBlock({ change: { node, change: kind }, t }: Props) {
  const Tag = kind === 'added' ? 'ins' : 'del'
  return (
    <Tag className={`flex max-w-md items-center gap-3 rounded-field border-s-4 p-2 no-underline ${STYLES[kind]}`}>
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
          {t(`editor:revision.${kind}`)} · {t(keyFrom(`editor:block.${BLOCK_LABELS[node.type] ?? node.type}`))}
        </span>
        {node.type === 'video' || node.type === 'audio' ? (
          <MediaName fileId={String(node.attrs?.fileId)} t={t} />
        ) : (
          <span className="block break-words">{blockName(node)}</span>
        )}
      </span>
    </Tag>
  )
}

/** Labels that differ from the block type. */
const BLOCK_LABELS: Record<string, string> = { horizontalRule: 'rule', upload: 'file' }

function MediaName({ fileId, t }: { fileId: string; t: Translate }) {
  const media = usePlayback(fileId)
  return (
    <span className="flex items-center gap-2">
      {media?.poster && <img src={media.poster} alt="" className="h-12 rounded-field" loading="lazy" />}
      <span className="break-words">{media === null ? t('editor:media.gone') : (media?.name ?? '')}</span>
    </span>
  )
}

function blockName({ attrs = {} }: LessonNode): string {
  const { alt, name, label, title, url } = attrs
  return String(alt || name || label || title || url || '')
}
