import { onPage } from '#islands/stores/page.ts'
import type { ScriptProps } from './script.ts'

/* The editor takes the place of the plain list of lines as soon as it is there. */
onPage(() => {
  const element = document.querySelector<HTMLElement>('[data-script-editor]')
  if (!element) return
  const props: ScriptProps = JSON.parse(element.dataset.scriptEditor ?? '')
  let close = () => {}
  let isClosed = false
  void import('./ScriptEditor.tsx').then(({ mountScriptEditor }) => {
    if (!isClosed) close = mountScriptEditor(element, props)
  })
  return () => {
    isClosed = true
    close()
  }
})
