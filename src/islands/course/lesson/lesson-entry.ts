import { listDrafts } from '#islands/stores/draft/draft-vault.ts'
import { readyForReact } from '#islands/stores/late.ts'
import { onPage } from '#islands/stores/page.ts'
import { draftKey, type LessonProps, type Typed } from './lesson.ts'

/*
 * The lesson's text is on the page as plain HTML; the editor weighs ten times as much, so it comes when somebody reaches
 * for the text, or at once when this device still keeps words that the server never got.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#lesson-editor')
  const surface = place?.querySelector<HTMLElement>('[data-surface]')
  return place && surface ? offer(place, surface) : undefined
})

/** Answers how the editor goes away with its page. */
function offer(place: HTMLElement, surface: HTMLElement): () => void {
  let gone = false
  let close = () => {}
  const props: LessonProps = JSON.parse(place.dataset.props ?? '')
  let asked = false
  const open = (typed: Typed | null) => {
    if (asked) return
    asked = true
    surface.setAttribute('aria-busy', 'true')
    void load(place, props, typed).then((end) => {
      close = end
      if (gone) end()
    })
  }
  surface.addEventListener('click', (event) => {
    event.preventDefault()
    open(catchKeys())
  })
  place.querySelector('[data-open]')?.addEventListener('click', () => open(catchKeys()))
  void listDrafts(props.owner).then((drafts) => {
    if (!gone && drafts.some(({ key, aside }) => !aside && key === draftKey(props.lessonId))) open(null)
  })
  return () => {
    gone = true
    close()
  }
}

async function load(place: HTMLElement, props: LessonProps, typed: Typed | null): Promise<() => void> {
  readyForReact()
  const { mountLessonEditor } = await import('./LessonEditor.tsx')
  return mountLessonEditor(place, props, typed)
}

/** Whoever clicks begins to type at once: until the editor is there, the keys are kept for it. */
function catchKeys(): Typed {
  let words = ''
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key === 'Enter' ? '\n' : event.key
    if (key.length !== 1) return
    event.preventDefault()
    words += key
  }
  document.addEventListener('keydown', keep, true)
  return () => {
    document.removeEventListener('keydown', keep, true)
    return words
  }
}
