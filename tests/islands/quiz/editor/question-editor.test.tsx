import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { blankContent } from '#islands/quiz/editor/blank-question.ts'
import { previewHtml } from '#islands/quiz/editor/preview-html.ts'
import QuestionEditor from '#islands/quiz/editor/QuestionEditor.tsx'
import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { QuestionDraft } from '#lib/quiz/question/schema.ts'
import editor from '#locales/uk/editor.json'
import quizeditor from '#locales/uk/quizeditor.json'
import shell from '#locales/uk/shell.json'
import { sampleQuestion } from '../../../setup/quiz/questions.ts'

const strings = {
  ...flattenStrings(quizeditor, 'quizeditor:'),
  ...flattenStrings(editor, 'editor:'),
  ...flattenStrings(shell, 'shell:'),
}
const t = createTranslator(strings, 'uk')

function render(content: QuestionDraft['content']): string {
  const question = { id: 'q', revision: 1, draft: QuestionDraft.parse({ content }) }
  const props = {
    question,
    html: [],
    tags: ['історія'],
    owner: 'm',
    title: 'Запитання',
    locale: 'uk' as const,
    strings,
  }
  return renderToStaticMarkup(<QuestionEditor {...props} />)
}

test.each(QUESTION_TYPES)('the page has the fields of a question of the type %s with words for all of them', (type) => {
  const markup = render(sampleQuestion(type))
  expect(markup).toContain(quizeditor.type[type])
  expect(markup).not.toMatch(/quizeditor:|shell:/)
  expect(markup).not.toContain('data-issues')
})

test.each(QUESTION_TYPES)('an empty question of the type %s shows the missing parts next to its text', (type) => {
  const markup = render(blankContent(type))
  expect(markup).toContain(quizeditor.issue.emptyStem)
  expect(markup).toContain('data-issues')
  expect(markup).not.toMatch(/quizeditor:|shell:/)
})

test('the preview shows a field in place of each gap, and nothing of a gap runs as markup', () => {
  const content = sampleQuestion('gapSelect')
  const [gap] = content.gaps
  const gaps = gap ? [{ ...gap, options: [{ id: 'x', text: '<img src=x onerror=alert(1)>', fraction: 1 }] }] : []
  const html = [`<p>Київ — [[${gap?.id}]]</p>`]
  const markup = previewHtml({ ...content, gaps }, html, t).join('')
  expect(markup).toContain('<select')
  expect(markup).not.toContain('<img')
  expect(markup).not.toContain('[[')
})
