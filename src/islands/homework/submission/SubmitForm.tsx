import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { ANSWER_LIMIT } from '#lib/homework/submission/schema.ts'
import { RecordAnswer } from '../recording/RecordingPanel.tsx'
import { useRecord } from '../recording/use-recording.ts'
import { OwnFiles } from './AnswerFiles.tsx'
import { isWaiting } from './pending-submission.ts'
import { draftKey, type OwnWork, ownWords } from './submission-props.ts'
import { useOwnFiles } from './use-answer-files.ts'
import { type Sending, useSending } from './use-submit.ts'

interface Opening {
  /** What was typed before the form was alive; null when nothing was. */
  typed: string | null
  /** Where the cursor stood; null when it was elsewhere. */
  focus: number | null
  /** What the person reached for. */
  first: 'write' | 'add' | 'record' | 'submit' | 'go on'
}

type Mount = (place: HTMLElement, opening: Opening) => () => void

/** Makes the form of an answer ready to take the place of the plain one. */
export async function mountSubmitForm(own: OwnWork, locale: Locale): Promise<Mount> {
  const t = await ownWords(locale)
  return (place, opening) => {
    const form = <SubmitForm own={own} opening={opening} locale={locale} t={t} />
    // At once: a letter that is typed between reading the plain field and taking its place would be lost.
    return mountIsland(place, 'submission', form, { isSync: true }).unmount
  }
}

interface Props {
  own: OwnWork
  opening: Opening
  locale: Locale
  t: Translate
}

function SubmitForm({ own, opening, locale, t }: Props) {
  const draft = useDraft(draftOf(own, t))
  const recording = useRecord(own, t)
  const files = useOwnFiles(own, t, locale, recording.state.uploadId)
  const { state, press, cancel } = useSending(own, draft.value, files.lines, t, recording.isOpen)
  const place = useRef<HTMLFormElement>(null)
  const { type, isReady: ready, value } = draft
  useOpening({ place, opening, ready, type, value }, () => {
    const asked =
      opening.first === 'submit' || (opening.first === 'go on' && isWaiting(own.owner, own.taskId, own.attempt))
    if (asked) press()
  })
  const conflict = draft.state.kind === 'conflict' ? draft.state : null
  const busy = state.kind === 'sending' || state.kind === 'waiting'
  return (
    <form
      ref={place}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!conflict) press()
      }}
    >
      {conflict && <ConflictChoice mine={conflict.mine} theirs={conflict.theirs} onChoose={draft.resolve} t={t} />}
      <TextArea
        label={t('homework:form.answer')}
        hint={t('homework:form.hint')}
        aside={<SaveState state={draft.state} locale={locale} t={t} />}
        value={value}
        maxLength={ANSWER_LIMIT}
        rows={5}
        className="homework-answer-field"
        readOnly={state.kind === 'sending'}
        onChange={({ target }) => type(target.value)}
        onBlur={draft.flush}
      />
      <OwnFiles own={own} lines={files.lines} refused={files.refused} add={files.add} locale={locale} t={t}>
        <RecordAnswer
          recording={recording}
          reached={opening.first === 'record'}
          maxBytes={own.maxBytes}
          isFull={files.isFull}
          onUse={files.addRecorded}
          locale={locale}
          t={t}
        />
      </OwnFiles>
      <SendingState state={state} t={t} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" busy={busy}>
          {t(own.again ? 'homework:form.again' : 'homework:form.submit')}
        </Button>
        {(state.kind === 'waiting' || state.kind === 'offline' || state.kind === 'signedOut') && (
          <Button tone="quiet" onClick={cancel}>
            {t('homework:form.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

function SendingState({ state, t }: { state: Sending; t: Translate }) {
  const id = useId()
  if (state.kind === 'idle' || state.kind === 'sending') return <p id={id} role="status" hidden />
  if (state.kind === 'refused')
    return (
      <p role="alert" className="field-error">
        {state.words}
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

interface Opened {
  place: { current: HTMLFormElement | null }
  opening: Opening
  ready: boolean
  type: (text: string) => void
  value: string
}

/** Goes on where the plain form was left: its words, its cursor, what was pressed. */
function useOpening({ place, opening, ready, type, value }: Opened, begin: () => void): void {
  const done = useRef({ taken: false, begun: false })
  // Before the next key: what comes later than these words must not be written over by them.
  useLayoutEffect(() => {
    if (done.current.taken) return
    done.current.taken = true
    if (opening.typed !== null && opening.typed !== value) type(opening.typed)
    const field = place.current?.querySelector('textarea')
    if (opening.focus !== null && field) {
      field.focus()
      field.setSelectionRange(opening.focus, opening.focus)
    }
    if (opening.first === 'add') place.current?.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  }, [place, opening, type, value])
  useEffect(() => {
    if (!ready || done.current.begun) return
    done.current.begun = true
    begin()
  }, [ready, begin])
}

function draftOf(own: OwnWork, t: Translate): DraftOptions<string> {
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
