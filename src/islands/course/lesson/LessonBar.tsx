import { FileDiff, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DraftHandle } from '#islands/stores/draft/draft.ts'
import { fail, succeed } from '#islands/stores/notice.ts'
import { Avatar } from '#islands/ui/Avatar.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { DiscardButton } from './DiscardButton.tsx'
import type { LessonState, LessonText } from './lesson.ts'
import type { Companion } from './lesson-company.ts'

export type LessonPanel = 'changes' | 'history'

interface Props {
  state: LessonState
  draft: DraftHandle<LessonText>
  /** Other authors who have the lesson open. */
  others: Companion[]
  /** The same author has it open in another tab. */
  alsoMine: boolean
  panel: LessonPanel | null
  onPanel: (panel: LessonPanel | null) => void
  onPublish: () => Promise<void>
  onDiscard: () => Promise<void>
  locale: string
  say: Say
}

const icon = { size: 16, strokeWidth: 1.75 } as const

/** What becomes of the text: whether it is saved, who else writes it, and what students read. */
export function LessonBar({ state, draft, others, alsoMine, panel, onPanel, locale, say, ...acts }: Props) {
  const [publish, publishing] = usePublish(draft, acts.onPublish, say)
  const turn = (which: LessonPanel) => onPanel(panel === which ? null : which)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-[1_1_26rem] flex-wrap items-center gap-x-4 gap-y-1">
        <p className="text-muted text-sm">{say(`course:lessonHint.${state}`)}</p>
        <SaveState state={draft.state} locale={locale} say={say} />
        <Company others={others} alsoMine={alsoMine} say={say} />
      </div>
      <div className="flex flex-wrap gap-2 sm:ms-auto">
        <Button
          small
          tone="quiet"
          icon={<History {...icon} />}
          aria-expanded={panel === 'history'}
          onClick={() => turn('history')}
        >
          {say('editor:revision.history')}
        </Button>
        {state === 'changed' && (
          <>
            <Button
              small
              tone="quiet"
              icon={<FileDiff {...icon} />}
              aria-expanded={panel === 'changes'}
              onClick={() => turn('changes')}
            >
              {say('editor:revision.changes')}
            </Button>
            <DiscardButton onDiscard={acts.onDiscard} say={say} />
          </>
        )}
        {state !== 'published' && (
          <Button tone="primary" small busy={publishing} onClick={publish}>
            {say(state === 'new' ? 'course:lesson.publishFirst' : 'course:lesson.publish')}
          </Button>
        )}
      </div>
    </div>
  )
}

// What was typed a moment ago belongs to what is published: first it is saved.
function usePublish(draft: DraftHandle<LessonText>, onPublish: () => Promise<void>, say: Say) {
  const [publishing, setPublishing] = useState(false)
  useEffect(() => {
    if (!publishing || draft.state.kind === 'saving') return
    setPublishing(false)
    if (draft.state.kind !== 'saved') fail(say('editor:save.notYet'))
    else
      onPublish().then(
        () => succeed(say('course:lesson.published')),
        (error: Error) => fail(error.message),
      )
  }, [publishing, draft.state.kind, onPublish, say])
  const begin = () => {
    draft.flush()
    setPublishing(true)
  }
  return [begin, publishing] as const
}

function Company({ others, alsoMine, say }: { others: Companion[]; alsoMine: boolean; say: Say }) {
  const names = [...new Map(others.map(({ memberId, name }) => [memberId, name])).values()]
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-sm">
      {names.length > 0 && (
        <>
          <span className="flex -space-x-2">
            {names.slice(0, 3).map((name) => (
              <Avatar key={name} name={name} />
            ))}
          </span>
          {say('editor:save.company', { names: names.join(', '), count: names.length })}
        </>
      )}
      {alsoMine && <span className="text-muted">{say('editor:save.otherTab')}</span>}
    </p>
  )
}
