import { onPage } from '#islands/stores/page.ts'
import type { ScriptProps } from './script.ts'

/* Replaces the server-rendered list of script entries with the editor when it is loaded. */
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
