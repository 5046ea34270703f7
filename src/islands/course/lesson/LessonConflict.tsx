import type { ConflictResolution, DraftState } from '#islands/stores/draft/draft-settings.ts'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type LessonText, plainLessonText } from './lesson.ts'
import { mergeBlocks } from './lesson-merge.ts'

interface Props {
  state: Extract<DraftState<LessonText>, { kind: 'conflict' }>
  onChoose: (choice: ConflictResolution) => void
  t: Translate
}

/** Shows the blocks that two authors changed differently; all other changes are merged. */
export function LessonConflict({ state, onChoose, t }: Props) {
  const { mine, theirs } = conflictingTexts(state)
  return (
    <div className="mb-3">
      <ConflictChoice mine={mine} theirs={theirs} by={state.by} onChoose={onChoose} both t={t} />
    </div>
  )
}

function conflictingTexts({ base, mine, theirs }: Props['state']): { mine: string; theirs: string } {
  if (!base) return { mine: plainLessonText(mine), theirs: plainLessonText(theirs) }
  const blocks = { base: base.blocks.content, mine: mine.blocks.content, theirs: theirs.blocks.content }
  const { conflicts } = mergeBlocks(blocks)
  const differsInTitle = mine.title !== theirs.title && base.title !== mine.title && base.title !== theirs.title
  const textOf = (side: 'mine' | 'theirs', title: string) =>
    plainLessonText({
      title: differsInTitle ? title : '',
      blocks: { type: 'doc', content: conflicts.flatMap((conflict) => conflict[side]) },
    })
  return { mine: textOf('mine', mine.title), theirs: textOf('theirs', theirs.title) }
}
