import ts from 'typescript'
import { ROUTES } from '#lib/core/access/routes.ts'
import { everyNode, type SourceFile, type Violation } from './source.ts'

/** The specification's route table and menu: the only files of the core with URLs of modules (docs/decisions/188). */
const TABLES: readonly string[] = ['src/lib/core/access/routes.ts', 'src/lib/core/access/menu.ts']
/** The endpoints that the core serves itself below `/v1`. */
const CORE_ENDPOINTS: readonly string[] = ['media', 'part', 'broadcast', 'hls', 'file', 'replies']
/** Paths of other services that start like a page. */
const FOREIGN_PATHS: readonly string[] = ['/chat/completions']
const ERROR_PAGES: readonly string[] = ['404', '500']

const PAGES = new Set(ROUTES.map(({ pattern }) => pattern.split('/')[1] ?? '').filter((name) => name !== ''))

/** Paths of pages and endpoints of modules in the strings of a file of the core. */
export function moduleUrlsInCore(file: SourceFile): Violation[] {
  if (!file.path.startsWith('src/lib/core/') || TABLES.includes(file.path)) return []
  const found: Violation[] = []
  everyNode(file, (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return
    if (ts.isImportDeclaration(node.parent) || FOREIGN_PATHS.includes(node.text)) return
    const isContinued = ts.isTemplateMiddleOrTemplateTail(node)
    if (isModuleUrl(node.text, isContinued)) found.push({ path: file.path, message: `contains the URL ${node.text}` })
  })
  return found
}

function isModuleUrl(text: string, isContinued: boolean): boolean {
  const [, first = '', second = ''] = /^\/([a-z0-9-]+)(?:\/([a-z0-9-]*))?/.exec(text) ?? []
  if (first === 'v1') return second !== '' && !CORE_ENDPOINTS.includes(second)
  // `${base}/chat` continues any path: only its complete segments are checked.
  return PAGES.has(first) && !ERROR_PAGES.includes(first) && (!isContinued || /^\/[a-z0-9-]+([/?#]|$)/.test(text))
}
