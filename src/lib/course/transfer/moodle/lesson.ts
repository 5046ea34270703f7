import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { childAt, childrenOf, type MarkupElement, textAtPath } from '../markup.ts'
import { heading } from '../package/lesson.ts'
import { createFinder } from './files.ts'
import { type ActivitySource, readText } from './source.ts'

/** Moodle's page types (mod/lesson/locallib.php): a content page, and the ends of clusters and branches. */
const CONTENT_PAGE = '20'
const STRUCTURE_PAGES = new Set(['21', '30', '31'])

/**
 * The pages of a Moodle lesson in their order. The text and options of questions are imported; grades, responses and
 * jumps of their answers, and the buttons of content pages, are noted.
 */
export function readLessonPages(source: ActivitySource): LessonNode[] {
  const { reader, body, title } = source
  let hasAnswers = false
  const blocks = sortPages(childrenOf(childAt(body, 'pages'), 'page')).flatMap((page) => {
    const kind = textAtPath(page, 'qtype')
    if (STRUCTURE_PAGES.has(kind)) return []
    const { id } = page.attributes
    const pageTitle = textAtPath(page, 'title')
    const text = readText(source, page, 'contents', { area: 'page_contents', item: id })
    const answers = childrenOf(childAt(page, 'answers'), 'answer')
    if (answers.length > 0) hasAnswers = true
    reader.count('lessonPage')
    const options = kind === CONTENT_PAGE ? [] : readOptions(source, answers)
    return [...(pageTitle ? [heading(pageTitle)] : []), ...text, ...options]
  })
  if (hasAnswers) reader.notes.add('answers', title)
  return blocks
}

function readOptions(
  { reader, links, title, ownFiles }: ActivitySource,
  answers: readonly MarkupElement[],
): LessonNode[] {
  const items = answers.flatMap((answer) => textAtPath(answer, 'answer_text') || [])
  const html = `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
  return items.length > 0
    ? reader.convertHtml(html, title, { ...links, file: createFinder(ownFiles, 'page_answers') })
    : []
}

/** Pages form a linked list that starts with the page without a previous one; unreachable pages follow. */
function sortPages(pages: readonly MarkupElement[]): MarkupElement[] {
  const byId = new Map(pages.map((page) => [page.attributes.id ?? '', page]))
  const ordered = new Set<MarkupElement>()
  let next = pages.find((page) => textAtPath(page, 'prevpageid') === '0')
  while (next && !ordered.has(next)) {
    ordered.add(next)
    next = byId.get(textAtPath(next, 'nextpageid'))
  }
  return [...new Set([...ordered, ...pages])]
}
