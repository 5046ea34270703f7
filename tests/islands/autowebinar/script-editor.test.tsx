import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import ScriptEditor from '#islands/autowebinar/ScriptEditor.tsx'
import type { ScriptProps } from '#islands/autowebinar/script.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'

function createEntry(index: number): ScriptEntry {
  const author = { name: `Глядач ${index}`, role: 'viewer' as const }
  const payload = { messageId: `m${index}`, author, text: `Повідомлення ${index}`, replyTo: null, holdReason: null }
  return { id: `e${index}`, type: 'message', track: 'chat', offsetMs: index * 1000, position: 0, version: 1, payload }
}

const render = (change: Partial<ScriptProps>) =>
  renderToString(
    <ScriptEditor
      workshopId="w"
      version={1}
      entries={[]}
      lengthMs={3_600_000}
      videoOffsetMs={0}
      video={null}
      mutedTracks={[]}
      slides={null}
      gone={[]}
      chat={ChatSettings.parse({})}
      mayChange
      strings={{ 'autowebinar:script.empty': 'Сценарій порожній', 'autowebinar:script.undo': 'Скасувати' }}
      locale="uk"
      {...change}
    />,
  )

test('the server renders the entries of the page, as many as fit into the list', () => {
  const entries = Array.from({ length: 1000 }, (_, index) => createEntry(index))
  const html = render({ entries })
  expect(html).toContain('Повідомлення 0')
  expect(html).not.toContain('Повідомлення 900')
  expect(html.match(/class="script-row"/g)?.length).toBeLessThan(40)
  expect(html).not.toContain('data-ready')
})

test('the server renders the empty state of a script, and no editing controls for those who may not edit it', () => {
  expect(render({})).toContain('Сценарій порожній')
  expect(render({})).toContain('Скасувати')
  expect(render({ mayChange: false })).not.toContain('Скасувати')
})
