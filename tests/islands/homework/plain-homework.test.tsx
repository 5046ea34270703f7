import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AnnotatedPicture } from '#islands/homework/annotation/AnnotatedPicture.tsx'
import { AnnotationList } from '#islands/homework/annotation/AnnotationList.tsx'
import { MessageThread } from '#islands/homework/MessageThread.tsx'
import { PlainSubmitForm } from '#islands/homework/submission/PlainSubmitForm.tsx'
import type { SubmissionProps } from '#islands/homework/submission/submission-props.ts'
import type { Annotation } from '#lib/homework/schema.ts'

const t = (key: string, variables?: Record<string, string | number>) =>
  variables ? `${key} ${Object.values(variables).join(' ')}` : key

const OWN: SubmissionProps = {
  taskId: 'task-1',
  lessonId: 'lesson-1',
  title: 'План',
  owner: 'm',
  type: 'file',
  record: 'voice',
  again: false,
  attempt: 2,
  version: 1,
  text: 'Мій план',
  files: [{ id: 'f1', name: 'план.pdf', kind: 'doc', size: 2048, arrived: true }],
  allow: 'До 5 файлів',
  acceptTypes: [],
  maxFiles: 5,
  maxBytes: 1_048_576,
}

const renderForm = (refusal: { message: string; text: string } | null) =>
  renderToString(
    <PlainSubmitForm own={OWN} downloads={new Map([['f1', '/file/f1']])} refusal={refusal} locale="uk" t={t} />,
  )

test('the answer form is posted to the page with its assignment and attempt', () => {
  const html = renderForm(null)
  expect(html).toMatch(/<form[^>]*method="post"/)
  expect(html).toContain('name="intent" value="submitHomework"')
  expect(html).toContain('name="taskId" value="task-1"')
  expect(html).toContain('name="attempt" value="2"')
  expect(html).toMatch(/<textarea[^>]*name="text"[^>]*>Мій план<\/textarea>/)
})

test('the answer form links its files and hides the buttons that need a script', () => {
  const html = renderForm(null)
  expect(html).toMatch(/<a[^>]*href="\/file\/f1"[^>]*>[^<]*план\.pdf/)
  expect(html).toMatch(/<p hidden="" data-with-script=""/)
  expect(html).toContain('<noscript>')
})

test('a refused answer is shown again with the reason and the typed text', () => {
  const html = renderForm({ message: 'Спроб більше немає', text: 'Нова відповідь' })
  expect(html).toMatch(/<p role="alert"[^>]*>Спроб більше немає/)
  expect(html).toContain('>Нова відповідь</textarea>')
  expect(html).not.toContain('Мій план')
})

test('messages are shown with their authors, and the next one is posted to the page', () => {
  const message = { body: 'Чи можна пізніше?', at: new Date('2026-03-01T10:00:00Z'), readAt: null }
  const messages = [
    { ...message, id: '1', author: 'Ірина', isMine: true, isFromStudent: true },
    { ...message, id: '2', author: 'Олег', isMine: false, isFromStudent: false, body: 'Так' },
  ]
  const html = renderToString(
    <MessageThread taskId="task-1" messages={messages} timeZone="Europe/Kyiv" locale="uk" t={t} />,
  )
  expect(html).toContain('class="is-mine"')
  expect(html).toContain('homework:conversation.you')
  expect(html).not.toContain('Ірина')
  expect(html).toMatch(/Олег<\/strong>.*homework:conversation\.school/)
  expect(html).toContain('name="intent" value="sendHomeworkMessage"')
  expect(html).toMatch(/<textarea[^>]*name="body"/)
})

const MARK: Annotation = {
  id: 'a1',
  fileId: 'f1',
  page: 3,
  shape: { kind: 'point', x: 0.5, y: 0.25 },
  text: 'Уточніть',
}

test('annotations of a picture are drawn and listed', () => {
  const picture = { src: '/p.png', avif: '/p.avif', webp: '/p.webp', width: 200, height: 100 }
  const html = renderToString(
    <AnnotatedPicture
      fileId="f1"
      picture={picture}
      name="схема.png"
      annotations={[{ ...MARK, page: 1 }]}
      onAnnotate={null}
      i18n={{ t }}
    />,
  )
  expect(html).toMatch(/<img[^>]*src="\/p\.png"[^>]*loading="lazy"|<img[^>]*loading="lazy"[^>]*src="\/p\.png"/)
  expect(html).toContain('data-mark="a1"')
  expect(html).toContain('Уточніть')
})

test('annotations of a document name their page, because no page is shown', () => {
  const html = renderToString(<AnnotationList marks={[MARK]} page={null} t={t} />)
  expect(html).toContain('homework:own.page 3')
  expect(html).toContain('Уточніть')
})
