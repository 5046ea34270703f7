import { api } from '#islands/stores/api.ts'
import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { createDraft } from '#islands/stores/draft/draft-core.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { Draft, DraftState } from '#islands/stores/draft/draft-settings.ts'
import { runBeforeLeaving } from '#islands/stores/page.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import type { LessonPageProps } from './lesson-page-props.ts'

/** The student's note as a draft: typed text stays on the device until the server has it. */
export function bindNote(container: HTMLElement, view: LessonPageProps): () => void {
  const field = container.querySelector<HTMLTextAreaElement>('[data-note]')
  if (!field) return () => {}
  const t = createTranslator(view.strings, view.locale)
  const draft = createNoteDraft(view, t, () => renderNote(container, field, draft, t, view.locale))
  const onInput = () => draft.type(field.value)
  const saveDraft = () => void draft.flush()
  const onVisibilityChange = () => void draft.flush(document.visibilityState === 'hidden')
  const onChoose = (event: Event) => {
    const choice = event.target instanceof HTMLElement ? event.target.dataset.choice : undefined
    if (choice === 'mine' || choice === 'theirs' || choice === 'both') void draft.resolve(choice)
  }
  field.disabled = false
  field.addEventListener('input', onInput)
  field.addEventListener('blur', saveDraft)
  container.addEventListener('click', onChoose)
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('online', saveDraft)
  const stopLeaveHandler = runBeforeLeaving(() => draft.flush())
  // The student may have typed before the script was loaded.
  if (field.value === view.note.text) void draft.restore()
  else void draft.restore().then(onInput)
  return () => {
    field.removeEventListener('input', onInput)
    container.removeEventListener('click', onChoose)
    document.removeEventListener('visibilitychange', onVisibilityChange)
    window.removeEventListener('online', saveDraft)
    stopLeaveHandler()
    void draft.flush().finally(() => draft.close())
  }
}

function createNoteDraft(view: LessonPageProps, t: Translate, onChange: () => void): Draft<string> {
  const { lessonId, owner, title, note } = view
  return createDraft<string>({
    title: t('study:note.draft', { title }),
    href: location.pathname,
    value: note.text,
    version: note.version,
    async save(text, version, leaving) {
      try {
        const saved = await api.course.saveNote(
          { lessonId, version, text },
          { context: { isQuiet: true, isLeaving: leaving } },
        )
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, (data) => (typeof data.text === 'string' ? data.text : undefined))
      }
    },
    merge: ({ mine, theirs }, choice) => (choice === 'both' ? `${theirs}\n\n${mine}` : null),
    store: createDeviceDraftStore<string>(owner, `course/note/${lessonId}`),
    clock: {
      now: () => Date.now(),
      after(milliseconds, run) {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    onChange: onChange,
  })
}

function renderNote(
  container: HTMLElement,
  field: HTMLTextAreaElement,
  draft: Draft<string>,
  t: Translate,
  locale: string,
): void {
  const state = draft.state()
  if (field.value !== draft.value()) field.value = draft.value()
  const status = container.querySelector<HTMLElement>('[data-note-state]')
  if (status) status.textContent = statusText(state, t, locale)
  const box = container.querySelector<HTMLElement>('[data-note-conflict]')
  if (!box) return
  box.hidden = state.kind !== 'conflict'
  const theirs = box.querySelector<HTMLElement>('[data-theirs]')
  if (theirs && state.kind === 'conflict') theirs.textContent = state.theirs
}

function statusText(state: DraftState<string>, t: Translate, locale: string): string {
  if (state.kind === 'saving') return t('shell:save.saving')
  if (state.kind === 'conflict') return t('study:note.conflict')
  if (state.kind === 'localOnly') return state.message || t(`shell:save.${state.reason}`)
  if (state.at === null) return ''
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    state.at,
  )
  return t('shell:save.saved', { time })
}
