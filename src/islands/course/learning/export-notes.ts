import { api } from '#islands/stores/api.ts'
import { downloadText } from '#islands/stores/download.ts'
import { showFailure, showNotice } from '#islands/stores/notice.ts'
import { onPage } from '#islands/stores/page.ts'

/** Downloads all notes of the course as one Markdown file. Labels are attributes of the button. */
onPage(() => {
  const button = document.querySelector<HTMLButtonElement>('[data-export-notes]')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => void exportNotes(button.dataset))
})

async function exportNotes({
  exportNotes: courseId = '',
  empty = '',
  failed = '',
  title = '',
  file = '',
}: DOMStringMap) {
  const notes = await api.course.listNotes({ courseId }, { context: { isQuiet: true } }).catch(() => null)
  if (!notes) return void showFailure(failed)
  if (notes.length === 0) return void showNotice('info', empty)
  let module = ''
  const parts = notes.map((note) => {
    const heading = note.module === module ? '' : `## ${note.module}\n\n`
    module = note.module
    return `${heading}### ${note.lesson}\n\n${note.text.trim()}\n`
  })
  downloadText(file, `# ${title}\n\n${parts.join('\n')}`, 'text/markdown')
}
