import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { RecordingPanel } from '../recording/RecordingPanel.tsx'
import { useRecording } from '../recording/use-recording.ts'
import { AnswerFiles } from './AnswerFiles.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { isPending } from './pending-submission.ts'
import { draftKey, loadSubmissionStrings, type SubmissionProps } from './submission-props.ts'
import { useAnswerFiles } from './use-answer-files.ts'
import { type SubmitState, useSubmit } from './use-submit.ts'

interface InitialState {
  /** Text typed before the form was mounted; null when none. */
  initialText: string | null
  /** Cursor position; null without focus. */
  cursor: number | null
  /** The control that the student used. */
  action: 'write' | 'add' | 'record' | 'submit' | 'go on'
}

type Mount = (place: HTMLElement, opening: InitialState) => () => void

/** Loads the answer form, ready to replace the plain HTML. */
export async function mountSubmitForm(own: SubmissionProps, locale: Locale): Promise<Mount> {
  const t = await loadSubmissionStrings(locale)
  return (place, opening) => {
    const island = <SubmitForm own={own} opening={opening} locale={locale} t={t} />
    // Synchronously, so that no character typed meanwhile is lost.
    return mountIsland(place, 'submission', island, { isSync: true }).unmount
  }
}

interface Props {
  own: SubmissionProps
  opening: InitialState
  locale: Locale
  t: Translate
}

function SubmitForm({ own, opening, locale, t }: Props) {
  const draft = useDraft(createDraft(own, t))
  const recording = useRecording(own, t)
  const files = useAnswerFiles(own, t, locale, recording.state.uploadId)
  const { state, press, cancel } = useSubmit(own, draft.value, files.items, t, recording.isOpen)
  const form = useRef<HTMLFormElement>(null)
  const { type, isReady, value } = draft
  useInitialState({ form, opening, isReady, type, value }, () => {
    const isRequested =
      opening.action === 'submit' || (opening.action === 'go on' && isPending(own.owner, own.taskId, own.attempt))
    if (isRequested) press()
  })
  const conflict = draft.state.kind === 'conflict' ? draft.state : null
  return (
    <AnswerForm
      own={own}
      t={t}
      formRef={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!conflict) press()
      }}
      isBusy={state.kind === 'sending' || state.kind === 'waiting'}
      notice={
        conflict && <ConflictChoice mine={conflict.mine} theirs={conflict.theirs} onChoose={draft.resolve} t={t} />
      }
      saveState={<SaveState state={draft.state} locale={locale} t={t} />}
      field={{
        value,
        readOnly: state.kind === 'sending',
        onChange: ({ target }) => type(target.value),
        onBlur: draft.flush,
      }}
      files={
        <AnswerFiles own={own} items={files.items} refused={files.refused} add={files.add} locale={locale} t={t}>
          <RecordingPanel
            recording={recording}
            isRequested={opening.action === 'record'}
            maxBytes={own.maxBytes}
            isFull={files.isFull}
            onUse={files.addRecorded}
            locale={locale}
            t={t}
          />
        </AnswerFiles>
      }
      status={<SubmitStateNotice state={state} t={t} />}
      action={
        (state.kind === 'waiting' || state.kind === 'offline' || state.kind === 'signedOut') && (
          <Button tone="quiet" onClick={cancel}>
            {t('homework:form.cancel')}
          </Button>
        )
      }
    />
  )
}

function SubmitStateNotice({ state, t }: { state: SubmitState; t: Translate }) {
  const id = useId()
  if (state.kind === 'idle' || state.kind === 'sending') return <p id={id} role="status" hidden />
  if (state.kind === 'refused')
    return (
      <p role="alert" className="field-error">
        {state.message}
      </p>
    )
  return (
    <p role="status" className="homework-note">
      {t(`homework:form.${state.kind}`)}{' '}
      {state.kind === 'signedOut' && (
        <a className="still-link" href="/login" target="_blank" rel="noopener">
          {t('homework:form.signIn')}
        </a>
      )}
    </p>
  )
}

interface InitialStateOptions {
  form: { current: HTMLFormElement | null }
  opening: InitialState
  isReady: boolean
  type: (text: string) => void
  value: string
}

/** Takes over the state of the plain form: text, cursor, clicked control. */
function useInitialState({ form, opening, isReady, type, value }: InitialStateOptions, startAnswer: () => void): void {
  const done = useRef({ isRestored: false, begun: false })
  // Before the next keystroke, which must not be overwritten.
  useLayoutEffect(() => {
    if (done.current.isRestored) return
    done.current.isRestored = true
    if (opening.initialText !== null && opening.initialText !== value) type(opening.initialText)
    const field = form.current?.querySelector('textarea')
    if (opening.cursor !== null && field) {
      field.focus()
      field.setSelectionRange(opening.cursor, opening.cursor)
    }
    if (opening.action === 'add') form.current?.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  }, [form, opening, type, value])
  useEffect(() => {
    if (!isReady || done.current.begun) return
    done.current.begun = true
    startAnswer()
  }, [isReady, startAnswer])
}

function createDraft(own: SubmissionProps, t: Translate): DraftOptions<string> {
  const { owner, taskId, attempt, text, version, title } = own
  return {
    owner,
    key: draftKey(own),
    title: t('homework:form.draft', { title }),
    value: text,
    version,
    save: async (typed, base, leaving) => {
      try {
        const input = { taskId, attempt, version: base, text: typed }
        const saved = await api.homework.saveDraft(input, { context: { isQuiet: true, isLeaving: leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, (data) => (typeof data.text === 'string' ? data.text : undefined))
      }
    },
  }
}
