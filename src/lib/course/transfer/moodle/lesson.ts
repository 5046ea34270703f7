import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { childAt, childrenOf, type MarkupElement, wordsAt } from '../markup.ts'
import { heading } from '../package/lesson.ts'
import { moodleFinder } from './files.ts'
import { type Source, textAt } from './source.ts'

/** Moodle's page types (mod/lesson/locallib.php): a content page, and the ends of clusters and branches. */
const CONTENT_PAGE = '20'
const STRUCTURE = new Set(['21', '30', '31'])

/**
 * The pages of a Moodle lesson in their order. Of questions the text and the options are imported; the answers' grades,
 * responses and jumps, and the buttons of content pages, are noted.
 */
export function lessonPages(from: Source): LessonNode[] {
  const { pack, body, title } = from
  let interactive = false
  const blocks = inOrder(childrenOf(childAt(body, 'pages'), 'page')).flatMap((page) => {
    const kind = wordsAt(page, 'qtype')
    if (STRUCTURE.has(kind)) return []
    const { id } = page.attributes
    const named = wordsAt(page, 'title')
    const text = textAt(from, page, 'contents', { area: 'page_contents', item: id })
    const answers = childrenOf(childAt(page, 'answers'), 'answer')
    if (answers.length > 0) interactive = true
    pack.count('lessonPage')
    const options = kind === CONTENT_PAGE ? [] : optionsOf(from, answers)
    return [...(named ? [heading(named)] : []), ...text, ...options]
  })
  if (interactive) pack.notes.add('answers', title)
  return blocks
}

function optionsOf({ pack, links, title, mine }: Source, answers: readonly MarkupElement[]): LessonNode[] {
  const items = answers.flatMap((answer) => wordsAt(answer, 'answer_text') || [])
  const html = `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
  return items.length > 0 ? pack.text(html, title, { ...links, file: moodleFinder(mine, 'page_answers') }) : []
}

/** Pages are a chain from the one without a previous page; what the chain does not reach follows. */
function inOrder(pages: readonly MarkupElement[]): MarkupElement[] {
  const byId = new Map(pages.map((page) => [page.attributes.id ?? '', page]))
  const ordered = new Set<MarkupElement>()
  let next = pages.find((page) => wordsAt(page, 'prevpageid') === '0')
  while (next && !ordered.has(next)) {
    ordered.add(next)
    next = byId.get(wordsAt(next, 'nextpageid'))
  }
  return [...new Set([...ordered, ...pages])]
}
