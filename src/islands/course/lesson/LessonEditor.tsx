import { lazy, Suspense, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftHandle, useDraft } from '#islands/stores/draft/draft.ts'
import { showNotice } from '#islands/stores/notice.ts'
import { Field } from '#islands/ui/Field.tsx'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { LessonBar, type LessonPanel } from './LessonBar.tsx'
import { LessonBody } from './LessonBody.tsx'
import { LessonConflict } from './LessonConflict.tsx'
import type { LessonProps, LessonState, LessonText, TakeTyped } from './lesson.ts'
import { draftOptions, fetchLesson } from './lesson-draft.ts'
import { mergeBlocks } from './lesson-merge.ts'
import { usePresence } from './lesson-presence.ts'

// The history and its diff library are loaded on demand.
const LessonHistory = lazy(() => import('./LessonHistory.tsx').then(({ LessonHistory: Panel }) => ({ default: Panel })))

/** Mounts the editor in place of the lesson's plain text. Returns a function that unmounts it. */
export function mountLessonEditor(container: HTMLElement, props: LessonProps, takeTyped: TakeTyped | null): () => void {
  return mountIsland(container, 'lesson', <LessonEditor {...props} takeTyped={takeTyped} />).unmount
}

function LessonEditor({ takeTyped, ...props }: LessonProps & { takeTyped: TakeTyped | null }) {
  const { lessonId, locale } = props
  const t = createTranslator(props.strings, locale)
  const [published, setPublished] = useState<number | null>(PUBLISHED_VERSION[props.state](props.version))
  const [panel, setPanel] = useState<LessonPanel | null>(null)
  const latest = useRef<DraftHandle<LessonText> | null>(null)

  const refetch = () => void latest.current?.refresh(() => fetchLesson(lessonId)).catch(ignore)
  const presence = usePresence(lessonId, {
    onSaved: (version) => version > (latest.current?.version ?? 0) && refetch(),
    onPublished: setPublished,
    onMissed: refetch,
  })
  const draft = useDraft(
    draftOptions(props, {
      getTab: () => (presence.others.length > 0 ? presence.tab : undefined),
      onMerged: (by) =>
        void showNotice('info', t(by ? 'editor:save.mergedBy' : 'editor:save.merged', { name: by ?? '' })),
    }),
  )
  latest.current = draft

  const updateBlocks = useBlockUpdates(draft)
  const state = lessonStateOf(published, draft)

  const publish = async () => {
    const { version } = await api.course.publishLesson({ lessonId, version: draft.version })
    setPublished(version)
    setPanel(null)
  }
  // The server has replaced the draft.
  const replaceDraft = async (action: () => Promise<{ version: number }>) => {
    const { version } = await action()
    await draft.refresh(() => fetchLesson(lessonId))
    return version
  }
  const discard = async () => {
    setPublished(await replaceDraft(() => api.course.discardLesson({ lessonId })))
    setPanel(null)
  }

  return (
    <>
      <LessonBar
        state={state}
        draft={draft}
        locale={locale}
        t={t}
        panel={panel}
        others={presence.others.filter(({ memberId }) => memberId !== props.owner)}
        isOpenElsewhere={presence.others.some(({ memberId }) => memberId === props.owner)}
        onPanel={setPanel}
        onPublish={publish}
        onDiscard={discard}
      />
      {draft.state.kind === 'conflict' && <LessonConflict state={draft.state} onChoose={draft.resolve} t={t} />}
      {panel && (
        <Suspense fallback={<div className="skeleton-line mb-4 h-48" />}>
          <LessonHistory
            lessonId={lessonId}
            locale={locale}
            t={t}
            zone={props.zone}
            draft={draft.value}
            version={draft.version}
            saved={draft.state.kind === 'saved'}
            panel={panel}
            onClose={() => setPanel(null)}
            onRestore={(version) => replaceDraft(() => api.course.restoreRevision({ lessonId, version }))}
          />
        </Suspense>
      )}
      <LessonBody
        lessonId={lessonId}
        courseId={props.courseId}
        value={draft.value.blocks}
        onChange={updateBlocks}
        onBlur={draft.flush}
        editable={draft.isReady}
        takeTyped={takeTyped}
        t={t}
      >
        <Field
          label={t('course:lesson.title')}
          value={draft.value.title}
          maxLength={160}
          onChange={({ target }) => draft.update((current) => ({ ...current, title: target.value }))}
          onBlur={draft.flush}
          className="mb-5"
        />
      </LessonBody>
    </>
  )
}

/**
 * Applies the editor's output to the draft. If another author's change is in the draft but not yet in the editor, both
 * are merged.
 */
function useBlockUpdates(draft: DraftHandle<LessonText>): (blocks: LessonDoc) => void {
  const shownBlocks = useRef(draft.value.blocks)
  // Updated in the same frame as the editor.
  useLayoutEffect(() => {
    shownBlocks.current = draft.value.blocks
  }, [draft.value.blocks])
  const { update: change } = draft
  return useCallback(
    (blocks) => {
      const base = shownBlocks.current.content
      shownBlocks.current = blocks
      change((current) => {
        if (base === current.blocks.content) return { ...current, blocks }
        const merged = mergeBlocks({ base, mine: blocks.content, theirs: current.blocks.content }, 'both')
        return { ...current, blocks: { type: 'doc', content: merged.content ?? blocks.content } }
      })
    },
    [change],
  )
}

const ignore = () => undefined

/** The published version; 0 where the draft differs from it. */
const PUBLISHED_VERSION: Record<LessonState, (version: number) => number | null> = {
  new: () => null,
  published: (version) => version,
  changed: () => 0,
}

function lessonStateOf(published: number | null, draft: DraftHandle<LessonText>): LessonState {
  if (published === null) return 'new'
  return draft.state.kind === 'saved' && draft.version === published ? 'published' : 'changed'
}
