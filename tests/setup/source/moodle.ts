import { dictionary } from '#lib/core/shared/dictionary.ts'
import { visibleText } from './html.ts'
import { createSourceUnit, type Source, type SourceUnit } from './unit.ts'
import { findAll, parseXml, textAt, type XmlNode } from './xml.ts'

/** Fields of HTML that each kind of activity shows to students. */
const VISIBLE_FIELDS = dictionary<string[]>({ page: ['intro', 'content'], assign: ['intro', 'activity'] })

/** Reads the content of a Moodle backup: every activity, section and page, and every file by its hash. */
export function readMoodle(members: ReadonlyMap<string, Buffer>): Source {
  const root = parseXml(members.get('moodle_backup.xml'))
  const activities = findAll(root, 'contents').flatMap((contents) => findAll(contents, 'activity'))
  const owners = new Map<string, string>()
  const units = activities.flatMap((activity) => {
    const kind = textAt(activity, 'modulename')
    const body = parseXml(members.get(`${textAt(activity, 'directory')}/${kind}.xml`)).children[0]
    const named = textAt(body, kind, 'name') || textAt(activity, 'title')
    owners.set(body?.attributes.contextid ?? '', named)
    return body ? activityUnits(kind, named, body) : [createSourceUnit(kind, named, '')]
  })
  const sections = [...members].filter(([name]) => /^sections\/[^/]+\/section\.xml$/.test(name))
  for (const [, bytes] of sections) {
    const section = parseXml(bytes).children[0]
    units.push(htmlUnit('section', textAt(section, 'name'), textAt(section, 'summary')))
  }
  const course = parseXml(members.get('course/course.xml')).children[0]
  units.push(htmlUnit('course', textAt(course, 'fullname'), textAt(course, 'summary')))
  return { units, files: readFiles(members, owners) }
}

function activityUnits(kind: string, title: string, body: XmlNode): SourceUnit[] {
  const inner = body.children.find(({ name }) => name === kind)
  const fields = (VISIBLE_FIELDS[kind] ?? ['intro']).map((field) => textAt(inner, field)).join(' ')
  const own = htmlUnit(kind, title, fields)
  if (!inner) return [own]
  if (kind === 'url') return [own, createSourceUnit('address', title, '', [textAt(inner, 'externalurl')])]
  if (kind === 'book')
    return [
      own,
      ...findAll(inner, 'chapter').map((chapter) =>
        htmlUnit('chapter', textAt(chapter, 'title'), textAt(chapter, 'content')),
      ),
    ]
  if (kind === 'glossary') {
    return [
      own,
      ...findAll(inner, 'entry').map((entry) =>
        htmlUnit('entry', textAt(entry, 'concept'), textAt(entry, 'definition')),
      ),
    ]
  }
  return kind === 'lesson' ? [own, ...findAll(inner, 'page').flatMap((page) => pageUnits(title, page))] : [own]
}

/** Options of a question belong to its page; buttons, responses and jumps must be listed in a note. */
function pageUnits(lesson: string, page: XmlNode): SourceUnit[] {
  const answers = findAll(page, 'answer')
  const isContent = textAt(page, 'qtype') === '20'
  const isQuestion = !isContent && !['21', '30', '31'].includes(textAt(page, 'qtype'))
  const options = isQuestion ? answers.map((answer) => textAt(answer, 'answer_text')).join(' ') : ''
  const rest = answers.map(
    (answer) => `${isContent ? textAt(answer, 'answer_text') : ''} ${textAt(answer, 'response')}`,
  )
  const shown =
    isContent || isQuestion
      ? [htmlUnit('lesson page', textAt(page, 'title'), `${textAt(page, 'contents')} ${options}`)]
      : []
  const listed = visibleText(rest.join(' ')).text
  if (listed.trim() === '') return shown
  const isListedBy: SourceUnit['isListedBy'] = ({ kind, title }) => kind === 'answers' && title === lesson
  return [...shown, { kind: 'answers', title: lesson, text: listed, links: [], isListedBy }]
}

function htmlUnit(kind: string, title: string, source: string): SourceUnit {
  const { text, links } = visibleText(source)
  // The name of a label repeats the beginning of its text and is not shown to students.
  return createSourceUnit(kind, title, kind === 'label' ? text : `${title} ${text}`, links)
}

function readFiles(members: ReadonlyMap<string, Buffer>, owners: ReadonlyMap<string, string>) {
  const byHash = new Map<string, { name: string; owners: string[] }>()
  for (const file of findAll(parseXml(members.get('files.xml')), 'file')) {
    const name = textAt(file, 'filename')
    if (name === '' || name === '.') continue
    const hash = textAt(file, 'contenthash')
    const known = byHash.get(hash) ?? { name, owners: [] }
    const owner = owners.get(textAt(file, 'contextid')) ?? `${textAt(file, 'component')} / ${textAt(file, 'filearea')}`
    byHash.set(hash, { ...known, owners: [...known.owners, owner] })
  }
  return [...byHash.values()]
}
