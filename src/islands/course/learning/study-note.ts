import { api } from '#islands/stores/api.ts'
import { createDraft, type Draft } from '#islands/stores/draft/draft-core.ts'
import { outcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { DraftState } from '#islands/stores/draft/draft-parts.ts'
import { deviceVault } from '#islands/stores/draft/draft-vault.ts'
import { beforeLeaving } from '#islands/stores/page.ts'
import { type Say, speak } from '#lib/core/shared/text/strings.ts'
import type { StudyView } from './study-view.ts'

/** The note beside a lesson, in the draft layer: what is typed stays on this device until the school has it. */
export function followNote(place: HTMLElement, view: StudyView): () => void {
  const field = place.querySelector<HTMLTextAreaElement>('[data-note]')
  if (!field) return () => {}
  const say = speak(view.strings, view.locale)
  const draft = makeDraft(view, say, () => draw(place, field, draft, say, view.locale))
  const type = () => draft.type(field.value)
  const flush = () => void draft.flush()
  const hide = () => void draft.flush(document.visibilityState === 'hidden')
  const choose = (event: Event) => {
    const choice = event.target instanceof HTMLElement ? event.target.dataset.choice : undefined
    if (choice === 'mine' || choice === 'theirs' || choice === 'both') void draft.resolve(choice)
  }
  field.disabled = false
  field.addEventListener('input', type)
  field.addEventListener('blur', flush)
  place.addEventListener('click', choose)
  document.addEventListener('visibilitychange', hide)
  window.addEventListener('online', flush)
  const stay = beforeLeaving(() => draft.flush())
  // Somebody was faster than the script.
  if (field.value === view.note.text) void draft.open()
  else void draft.open().then(type)
  return () => {
    field.removeEventListener('input', type)
    place.removeEventListener('click', choose)
    document.removeEventListener('visibilitychange', hide)
    window.removeEventListener('online', flush)
    stay()
    void draft.flush().finally(() => draft.close())
  }
}

function makeDraft(view: StudyView, say: Say, changed: () => void): Draft<string> {
  const { lessonId, owner, title, note } = view
  return createDraft<string>({
    title: say('study:note.draft', { title }),
    href: location.pathname,
    value: note.text,
    version: note.version,
    async save(text, version, leaving) {
      try {
        const saved = await api.course.saveNote({ lessonId, version, text }, { context: { quiet: true, leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return outcomeOf(error, (data) => (typeof data.text === 'string' ? data.text : undefined))
      }
    },
    merge: ({ mine, theirs }, choice) => (choice === 'both' ? `${theirs}\n\n${mine}` : null),
    vault: deviceVault<string>(owner, `course/note/${lessonId}`),
    clock: {
      now: () => Date.now(),
      after(milliseconds, run) {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    changed,
  })
}

function draw(place: HTMLElement, field: HTMLTextAreaElement, draft: Draft<string>, say: Say, locale: string): void {
  const state = draft.state()
  if (field.value !== draft.value()) field.value = draft.value()
  const line = place.querySelector<HTMLElement>('[data-note-state]')
  if (line) line.textContent = words(state, say, locale)
  const box = place.querySelector<HTMLElement>('[data-note-conflict]')
  if (!box) return
  box.hidden = state.kind !== 'conflict'
  const theirs = box.querySelector<HTMLElement>('[data-theirs]')
  if (theirs && state.kind === 'conflict') theirs.textContent = state.theirs
}

function words(state: DraftState<string>, say: Say, locale: string): string {
  if (state.kind === 'saving') return say('shell:save.saving')
  if (state.kind === 'conflict') return say('study:note.conflict')
  if (state.kind === 'localOnly') return state.message || say(`shell:save.${state.because}`)
  if (state.at === null) return ''
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    state.at,
  )
  return say('shell:save.saved', { time })
}
