import ts from 'typescript'
import { everyNode, type SourceFile, type Violation } from './source.ts'

const CYRILLIC = /[\u0400-\u04ff]/
const WORD = /\p{L}{2,}/u
const SPOKEN = new Set([
  'title',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'placeholder',
  'alt',
  'label',
  'description',
])
// Message keys and URLs, which are equal in every language.
const NO_WORDS = /^[a-z]+:([\w.-]+|\/\/\S*)$/

/** Files whose Cyrillic text is data and not displayed, each with the reason. */
const DATA: Record<string, string> = {
  'src/islands/chat/mention-text.ts': 'the word for everyone in both languages',
  'src/lib/chat/reply/quote-rules.ts': 'words of email programs in several languages',
  'src/lib/chat/search/excerpt-rules.ts': 'letters and what they become',
  'src/lib/chat/search/query-rules.ts': 'operators of a search in both languages',
  'src/lib/chat/search/terms.ts': 'words for the reader in a search',
  'src/lib/core/config/config.ts': "the default sender's name",
  'src/lib/core/secret-key/secret-key.ts': 'messages in the terminal, in both languages',
  'src/lib/course/slug.ts': 'letters and what they become',
  'src/lib/encrypted-columns.ts': 'names in the terminal, in both languages',
  'src/lib/meeting/chat/word-rules.ts': 'letters that look alike',
  'src/lib/quiz/scoring/text-match.ts': 'letters that look alike',
  'src/lib/student/import/given-names.ts': 'frequent given names',
  'src/lib/student/import/headings.ts': 'headings of tables in both languages',
  'src/lib/tenant/transliteration.ts': 'letters and what they become',
}

/**
 * Displayed texts belong to public/locales: no Cyrillic in code, no text in markup or in attributes for screen readers.
 */
export function literalTexts(file: SourceFile): Violation[] {
  const found: string[] = []
  const data = file.path in DATA
  everyNode(file, (node) => {
    if (ts.isJsxText(node) && WORD.test(node.text)) found.push(`message «${node.text.trim().slice(0, 60)}»`)
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) {
      const value = textOf(node.initializer)
      if (value && WORD.test(value) && !NO_WORDS.test(value)) found.push(`message «${value}» in ${node.name.getText()}`)
    }
    if (!data && isText(node) && CYRILLIC.test(node.text))
      found.push(`holds the text «${node.text.trim().slice(0, 60)}»`)
  })
  return found.map((message) => ({ path: file.path, message: `${message}: texts belong in public/locales` }))
}

function textOf(value: ts.JsxAttributeValue | undefined): string | null {
  if (!value) return null
  if (ts.isStringLiteral(value)) return value.text
  const inner = ts.isJsxExpression(value) ? value.expression : undefined
  return inner && ts.isStringLiteralLike(inner) ? inner.text : null
}

function isText(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
}
