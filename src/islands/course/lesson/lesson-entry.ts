import { listDrafts } from '#islands/stores/draft/device-draft-store.ts'
import { onPage } from '#islands/stores/page.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import { type LessonProps, lessonDraftKey, type TakeTyped } from './lesson.ts'

/*
 * The page contains the lesson's text as HTML; the editor is loaded on the first interaction, or at once when this
 * device has an unsaved draft.
 */
onPage(() => {
  const container = document.querySelector<HTMLElement>('#lesson-editor')
  const surface = container?.querySelector<HTMLElement>('[data-surface]')
  return container && surface ? bindEditor(container, surface) : undefined
})

/** Returns a function that unmounts the editor. */
function bindEditor(container: HTMLElement, surface: HTMLElement): () => void {
  let isClosed = false
  let close = () => {}
  const props: LessonProps = JSON.parse(container.dataset.props ?? '')
  let isOpening = false
  const open = (typed: TakeTyped | null) => {
    if (isOpening) return
    isOpening = true
    surface.setAttribute('aria-busy', 'true')
    void loadEditor(container, props, typed).then((end) => {
      close = end
      if (isClosed) end()
    })
  }
  surface.addEventListener('click', (event) => {
    event.preventDefault()
    open(captureKeys())
  })
  container.querySelector('[data-open]')?.addEventListener('click', () => open(captureKeys()))
  void listDrafts(props.owner).then((drafts) => {
    if (!isClosed && drafts.some(({ key, isArchived }) => !isArchived && key === lessonDraftKey(props.lessonId)))
      open(null)
  })
  return () => {
    isClosed = true
    close()
  }
}

async function loadEditor(container: HTMLElement, props: LessonProps, typed: TakeTyped | null): Promise<() => void> {
  prepareReactRefresh()
  const { mountLessonEditor } = await import('./LessonEditor.tsx')
  return mountLessonEditor(container, props, typed)
}

/** Captures keys until the editor is loaded. */
function captureKeys(): TakeTyped {
  let text = ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key === 'Enter' ? '\n' : event.key
    if (key.length !== 1) return
    event.preventDefault()
    text += key
  }
  document.addEventListener('keydown', onKeyDown, true)
  return () => {
    document.removeEventListener('keydown', onKeyDown, true)
    return text
  }
}
