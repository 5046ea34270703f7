import { FileDiff, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DraftHandle } from '#islands/stores/draft/draft.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { Avatar } from '#islands/ui/Avatar.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DiscardButton } from './DiscardButton.tsx'
import type { LessonState, LessonText } from './lesson.ts'
import type { LessonParticipant } from './lesson-presence.ts'

export type LessonPanel = 'changes' | 'history'

interface Props {
  state: LessonState
  draft: DraftHandle<LessonText>
  /** Other authors with the lesson open. */
  others: LessonParticipant[]
  /** The same author has the lesson open in another tab. */
  isOpenElsewhere: boolean
  panel: LessonPanel | null
  onPanel: (panel: LessonPanel | null) => void
  onPublish: () => Promise<void>
  onDiscard: () => Promise<void>
  locale: string
  t: Translate
}

const icon = { size: 16, strokeWidth: 1.75 } as const

/** Save state, other authors and publication of a lesson. */
export function LessonBar({ state, draft, others, isOpenElsewhere, panel, onPanel, locale, t, ...actions }: Props) {
  const [publish, publishing] = usePublish(draft, actions.onPublish, t)
  const togglePanel = (target: LessonPanel) => onPanel(panel === target ? null : target)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-[1_1_26rem] flex-wrap items-center gap-x-4 gap-y-1">
        <p className="text-muted text-sm">{t(`course:lessonHint.${state}`)}</p>
        <SaveState state={draft.state} locale={locale} t={t} />
        <OtherAuthors others={others} isOpenElsewhere={isOpenElsewhere} t={t} />
      </div>
      <div className="flex flex-wrap gap-2 sm:ms-auto">
        <Button
          small
          tone="quiet"
          icon={<History {...icon} />}
          aria-expanded={panel === 'history'}
          onClick={() => togglePanel('history')}
        >
          {t('editor:revision.history')}
        </Button>
        {state === 'changed' && (
          <>
            <Button
              small
              tone="quiet"
              icon={<FileDiff {...icon} />}
              aria-expanded={panel === 'changes'}
              onClick={() => togglePanel('changes')}
            >
              {t('editor:revision.changes')}
            </Button>
            <DiscardButton onDiscard={actions.onDiscard} t={t} />
          </>
        )}
        {state !== 'published' && (
          <Button tone="primary" small busy={publishing} onClick={publish}>
            {t(state === 'new' ? 'course:lesson.publishFirst' : 'course:lesson.publish')}
          </Button>
        )}
      </div>
    </div>
  )
}

// Pending changes are saved before the publication.
function usePublish(draft: DraftHandle<LessonText>, onPublish: () => Promise<void>, t: Translate) {
  const [publishing, setPublishing] = useState(false)
  useEffect(() => {
    if (!publishing || draft.state.kind === 'saving') return
    setPublishing(false)
    if (draft.state.kind !== 'saved') showFailure(t('editor:save.notYet'))
    else
      onPublish().then(
        () => showSuccess(t('course:lesson.published')),
        (error: Error) => showFailure(error.message),
      )
  }, [publishing, draft.state.kind, onPublish, t])
  const startPublishing = () => {
    draft.flush()
    setPublishing(true)
  }
  return [startPublishing, publishing] as const
}

function OtherAuthors({
  others,
  isOpenElsewhere,
  t,
}: {
  others: LessonParticipant[]
  isOpenElsewhere: boolean
  t: Translate
}) {
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
          {t('editor:save.company', { names: names.join(', '), count: names.length })}
        </>
      )}
      {isOpenElsewhere && <span className="text-muted">{t('editor:save.otherTab')}</span>}
    </p>
  )
}
