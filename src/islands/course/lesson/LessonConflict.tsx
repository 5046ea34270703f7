import type { Choice, DraftState } from '#islands/stores/draft/draft-parts.ts'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { type LessonText, plainText } from './lesson.ts'
import { mergeBlocks } from './lesson-merge.ts'

interface Props {
  state: Extract<DraftState<LessonText>, { kind: 'conflict' }>
  onChoose: (choice: Choice) => void
  say: Say
}

/** The places that two authors changed at once; the rest of both texts is already one. */
export function LessonConflict({ state, onChoose, say }: Props) {
  const { mine, theirs } = disputed(state)
  return (
    <div className="mb-3">
      <ConflictChoice mine={mine} theirs={theirs} by={state.by} onChoose={onChoose} both say={say} />
    </div>
  )
}

function disputed({ base, mine, theirs }: Props['state']): { mine: string; theirs: string } {
  if (!base) return { mine: plainText(mine), theirs: plainText(theirs) }
  const blocks = { base: base.blocks.content, mine: mine.blocks.content, theirs: theirs.blocks.content }
  const { disputes } = mergeBlocks(blocks)
  const titles = mine.title !== theirs.title && base.title !== mine.title && base.title !== theirs.title
  const words = (side: 'mine' | 'theirs', title: string) =>
    plainText({
      title: titles ? title : '',
      blocks: { type: 'doc', content: disputes.flatMap((dispute) => dispute[side]) },
    })
  return { mine: words('mine', mine.title), theirs: words('theirs', theirs.title) }
}
