import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { api } from '#islands/stores/api.ts'
import { useDraft } from '#islands/stores/draft.ts'
import { deviceVault } from '#islands/stores/draft-vault.ts'
import { fail, succeed } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { speak } from '#lib/core/shared/strings.ts'
import { DiscardButton } from './DiscardButton.tsx'
import { LessonBody } from './LessonBody.tsx'
import { draftKey, type LessonProps, type LessonState, plainText, type Typed } from './lesson.ts'
import { draftOf } from './lesson-draft.ts'

/** Puts the editor in the place of the lesson's plain text. Answers how to take it away. */
export function mountLessonEditor(place: HTMLElement, props: LessonProps, typed: Typed | null): () => void {
  const root = createRoot(place)
  root.render(<LessonEditor {...props} typed={typed} />)
  return () => root.unmount()
}

function LessonEditor({ typed, ...props }: LessonProps & { typed: Typed | null }) {
  const say = speak(props.strings, props.locale)
  const draft = useDraft(draftOf(props))
  const [state, setState] = useState<LessonState>(props.state)
  const [publishing, setPublishing] = useState(false)
  const [editable, setEditable] = useState(false)
  const latest = useRef(draft)
  latest.current = draft
  // The document as the editor last gave it: any other one came from this device or from the conflict's choice.
  const emitted = useRef(draft.value.blocks)

  const type = (change: Partial<{ title: string; blocks: typeof props.blocks }>) => {
    setState((before) => (before === 'published' ? 'changed' : before))
    latest.current.type({ ...latest.current.value, ...change })
  }

  // Nothing may be typed before the words that this device keeps are back: reads follow each other in order.
  useEffect(() => {
    const ready = () => setEditable(true)
    void deviceVault(props.owner).read(draftKey(props.lessonId)).then(ready, ready)
  }, [props.owner, props.lessonId])

  useEffect(() => {
    if (draft.value.blocks === emitted.current) return
    emitted.current = draft.value.blocks
    setState((before) => (before === 'published' ? 'changed' : before))
  }, [draft.value.blocks])

  useEffect(() => {
    if (!publishing || draft.state.kind === 'saving') return
    setPublishing(false)
    if (draft.state.kind !== 'saved') return
    void api.course.publishLesson({ lessonId: props.lessonId }).then(() => {
      setState('published')
      succeed(say('course:lesson.published'))
    }, fail)
  }, [publishing, draft.state.kind, props.lessonId, say])

  const publish = () => {
    draft.flush()
    setPublishing(true)
  }

  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">{say(`course:lessonHint.${state}`)}</p>
        <SaveState state={draft.state} locale={props.locale} say={say} />
        <div className="flex flex-wrap gap-2">
          {state === 'changed' && <DiscardButton lessonId={props.lessonId} say={say} />}
          {state !== 'published' && (
            <Button tone="primary" small busy={publishing} onClick={publish}>
              {say(state === 'new' ? 'course:lesson.publishFirst' : 'course:lesson.publish')}
            </Button>
          )}
        </div>
      </div>
      {draft.state.kind === 'conflict' && (
        <div className="mb-3">
          <ConflictChoice
            mine={plainText(draft.state.mine)}
            theirs={plainText(draft.state.theirs)}
            onChoose={draft.resolve}
            say={say}
          />
        </div>
      )}
      <LessonBody
        lessonId={props.lessonId}
        value={draft.value.blocks}
        onChange={(blocks) => {
          emitted.current = blocks
          type({ blocks })
        }}
        onBlur={() => latest.current.flush()}
        editable={editable}
        typed={typed}
        say={say}
      >
        <Field
          label={say('course:lesson.title')}
          value={draft.value.title}
          maxLength={160}
          onChange={(event) => type({ title: event.target.value })}
          onBlur={draft.flush}
          className="mb-5"
        />
      </LessonBody>
    </>
  )
}
