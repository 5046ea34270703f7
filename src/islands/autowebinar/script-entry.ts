import { onPage } from '#islands/stores/page.ts'
import type { ScriptProps } from './script.ts'

/* The editor takes the place of the plain list of lines as soon as it is there. */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-script-editor]')
  if (!place) return
  const props: ScriptProps = JSON.parse(place.dataset.scriptEditor ?? '')
  let close = () => {}
  let gone = false
  void import('./ScriptEditor.tsx').then(({ mountScriptEditor }) => {
    if (!gone) close = mountScriptEditor(place, props)
  })
  return () => {
    gone = true
    close()
  }
})
