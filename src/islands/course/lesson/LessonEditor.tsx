import { lazy, Suspense, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftHandle, useDraft } from '#islands/stores/draft/draft.ts'
import { notify } from '#islands/stores/notice.ts'
import { Field } from '#islands/ui/Field.tsx'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { speak } from '#lib/core/shared/text/strings.ts'
import { LessonBar, type LessonPanel } from './LessonBar.tsx'
import { LessonBody } from './LessonBody.tsx'
import { LessonConflict } from './LessonConflict.tsx'
import type { LessonProps, LessonState, LessonText, Typed } from './lesson.ts'
import { useCompany } from './lesson-company.ts'
import { draftOf, fetchLesson } from './lesson-draft.ts'
import { mergeBlocks } from './lesson-merge.ts'

// Few look at earlier texts, and comparing them brings its own library.
const LessonHistory = lazy(() => import('./LessonHistory.tsx').then(({ LessonHistory: Panel }) => ({ default: Panel })))

/** Puts the editor in the place of the lesson's plain text. Answers how to take it away. */
export function mountLessonEditor(place: HTMLElement, props: LessonProps, typed: Typed | null): () => void {
  return mountIsland(place, 'lesson', <LessonEditor {...props} typed={typed} />).unmount
}

function LessonEditor({ typed, ...props }: LessonProps & { typed: Typed | null }) {
  const { lessonId, locale } = props
  const say = speak(props.strings, locale)
  const [published, setPublished] = useState<number | null>(PUBLISHED[props.state](props.version))
  const [panel, setPanel] = useState<LessonPanel | null>(null)
  const latest = useRef<DraftHandle<LessonText> | null>(null)

  const refetch = () => void latest.current?.refresh(() => fetchLesson(lessonId)).catch(ignore)
  const company = useCompany(lessonId, {
    saved: (version) => version > (latest.current?.version ?? 0) && refetch(),
    published: setPublished,
    missed: refetch,
  })
  const draft = useDraft(
    draftOf(props, {
      tab: () => (company.others.length > 0 ? company.tab : undefined),
      merged: (by) => void notify('info', say(by ? 'editor:save.mergedBy' : 'editor:save.merged', { name: by ?? '' })),
    }),
  )
  latest.current = draft

  const write = useWriting(draft)
  const state = stateOf(published, draft)

  const publish = async () => {
    const { version } = await api.course.publishLesson({ lessonId, version: draft.version })
    setPublished(version)
    setPanel(null)
  }
  // The draft is another one now, made by the server.
  const replace = async (act: () => Promise<{ version: number }>) => {
    const { version } = await act()
    await draft.refresh(() => fetchLesson(lessonId))
    return version
  }
  const discard = async () => {
    setPublished(await replace(() => api.course.discardLesson({ lessonId })))
    setPanel(null)
  }

  return (
    <>
      <LessonBar
        state={state}
        draft={draft}
        locale={locale}
        say={say}
        panel={panel}
        others={company.others.filter(({ memberId }) => memberId !== props.owner)}
        alsoMine={company.others.some(({ memberId }) => memberId === props.owner)}
        onPanel={setPanel}
        onPublish={publish}
        onDiscard={discard}
      />
      {draft.state.kind === 'conflict' && <LessonConflict state={draft.state} onChoose={draft.resolve} say={say} />}
      {panel && (
        <Suspense fallback={<div className="skeleton mb-4 h-48" />}>
          <LessonHistory
            lessonId={lessonId}
            locale={locale}
            say={say}
            zone={props.zone}
            draft={draft.value}
            version={draft.version}
            saved={draft.state.kind === 'saved'}
            panel={panel}
            onClose={() => setPanel(null)}
            onRestore={(version) => replace(() => api.course.restoreRevision({ lessonId, version }))}
          />
        </Suspense>
      )}
      <LessonBody
        lessonId={lessonId}
        value={draft.value.blocks}
        onChange={write}
        onBlur={draft.flush}
        editable={draft.ready}
        typed={typed}
        say={say}
      >
        <Field
          label={say('course:lesson.title')}
          value={draft.value.title}
          maxLength={160}
          onChange={({ target }) => draft.change((now) => ({ ...now, title: target.value }))}
          onBlur={draft.flush}
          className="mb-5"
        />
      </LessonBody>
    </>
  )
}

/**
 * Takes what the editor gives out. Another's change may have come into the draft and not yet into the editor, which then
 * writes on without it: what was written since belongs to both.
 */
function useWriting(draft: DraftHandle<LessonText>): (blocks: LessonDoc) => void {
  const shown = useRef(draft.value.blocks)
  // In the same breath as the editor shows it.
  useLayoutEffect(() => {
    shown.current = draft.value.blocks
  }, [draft.value.blocks])
  const { change } = draft
  return useCallback(
    (blocks) => {
      const base = shown.current.content
      shown.current = blocks
      change((now) => {
        if (base === now.blocks.content) return { ...now, blocks }
        const both = mergeBlocks({ base, mine: blocks.content, theirs: now.blocks.content }, 'both')
        return { ...now, blocks: { type: 'doc', content: both.content ?? blocks.content } }
      })
    },
    [change],
  )
}

const ignore = () => undefined

/** The version that students read; none of the draft's where it has changed since. */
const PUBLISHED: Record<LessonState, (version: number) => number | null> = {
  new: () => null,
  published: (version) => version,
  changed: () => 0,
}

function stateOf(published: number | null, draft: DraftHandle<LessonText>): LessonState {
  if (published === null) return 'new'
  return draft.state.kind === 'saved' && draft.version === published ? 'published' : 'changed'
}
