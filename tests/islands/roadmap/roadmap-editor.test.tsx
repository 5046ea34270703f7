import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import RoadmapEditor from '#islands/roadmap/RoadmapEditor.tsx'
import { RoadmapText } from '#lib/roadmap/schema.ts'

test('the server renders the fields of a roadmap, disabled until typed text can be saved', () => {
  const value = RoadmapText.parse({
    title: 'Шлях викладача',
    intro: 'Пів року',
    stages: [{ title: 'Початок', items: [{ type: 'milestone', title: 'Перша лекція' }] }],
  })
  const html = renderToString(
    <RoadmapEditor
      roadmapId="r"
      version={3}
      value={value}
      published={false}
      coverName={null}
      owner="m"
      href="/roadmap/r"
      stops={[]}
      locale="uk"
      strings={{}}
    />,
  )
  expect(html).toMatch(/^<fieldset disabled=""/)
  for (const text of ['Шлях викладача', 'Пів року', 'Початок', 'Перша лекція']) expect(html).toContain(text)
})
