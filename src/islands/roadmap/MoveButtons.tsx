import { ArrowDown, ArrowUp, Trash } from 'lucide-react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  /** The stage or stop, for the names of the buttons. */
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  t: Translate
}

/** Buttons that move or remove a stage or a stop. */
export function MoveButtons({ name, isFirst, isLast, onMove, onRemove, t }: Props) {
  return (
    <>
      <IconButton icon={ArrowUp} label={t('roadmap:edit.up', { name })} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton
        icon={ArrowDown}
        label={t('roadmap:edit.down', { name })}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton icon={Trash} label={t('roadmap:edit.remove', { name })} onClick={onRemove} />
    </>
  )
}
