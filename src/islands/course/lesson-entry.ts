import { listDrafts } from '#islands/stores/draft-vault.ts'
import { draftKey, type LessonProps } from './lesson.ts'

/*
 * The lesson's text is on the page as plain HTML; the editor weighs ten times as much, so it comes when somebody reaches
 * for the text, or at once when this device still keeps words that the server never got.
 */
const place = document.querySelector<HTMLElement>('#lesson-editor')
const surface = place?.querySelector<HTMLElement>('[data-surface]')

if (place && surface) {
  const props: LessonProps = JSON.parse(place.dataset.props ?? '')
  let asked = false
  const open = (focus: boolean) => {
    if (asked) return
    asked = true
    surface.setAttribute('aria-busy', 'true')
    void load(place, props, focus)
  }
  surface.addEventListener('click', (event) => {
    event.preventDefault()
    open(true)
  })
  place.querySelector('[data-open]')?.addEventListener('click', () => open(true))
  void listDrafts(props.owner).then((drafts) => {
    if (drafts.some(({ key }) => key === draftKey(props.lessonId))) open(false)
  })
}

async function load(place: HTMLElement, props: LessonProps, focus: boolean): Promise<void> {
  // The development server's React expects its page to have prepared these.
  if (import.meta.env.DEV)
    Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })
  const { mountLessonEditor } = await import('./LessonEditor.tsx')
  mountLessonEditor(place, props, focus)
}
