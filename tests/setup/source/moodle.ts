import { dictionary } from '#lib/core/shared/dictionary.ts'
import { shownBy } from './html.ts'
import { type Source, type SourceUnit, unit } from './unit.ts'
import { all, at, nodesOf, type XmlNode } from './xml.ts'

/** Fields of HTML that each kind of activity shows to students. */
const SHOWN = dictionary<string[]>({ page: ['intro', 'content'], assign: ['intro', 'activity'] })

/** What a Moodle backup contains: every activity, section and page, and every file by its bytes. */
export function moodleSource(members: ReadonlyMap<string, Buffer>): Source {
  const root = nodesOf(members.get('moodle_backup.xml'))
  const activities = all(root, 'contents').flatMap((contents) => all(contents, 'activity'))
  const owners = new Map<string, string>()
  const units = activities.flatMap((activity) => {
    const kind = at(activity, 'modulename')
    const body = nodesOf(members.get(`${at(activity, 'directory')}/${kind}.xml`)).children[0]
    const named = at(body, kind, 'name') || at(activity, 'title')
    owners.set(body?.attributes.contextid ?? '', named)
    return body ? unitsOf(kind, named, body) : [unit(kind, named, '')]
  })
  const sections = [...members].filter(([name]) => /^sections\/[^/]+\/section\.xml$/.test(name))
  for (const [, bytes] of sections) {
    const section = nodesOf(bytes).children[0]
    units.push(html('section', at(section, 'name'), at(section, 'summary')))
  }
  const course = nodesOf(members.get('course/course.xml')).children[0]
  units.push(html('course', at(course, 'fullname'), at(course, 'summary')))
  return { units, files: filesOf(members, owners) }
}

function unitsOf(kind: string, title: string, body: XmlNode): SourceUnit[] {
  const inner = body.children.find(({ name }) => name === kind)
  const fields = (SHOWN[kind] ?? ['intro']).map((field) => at(inner, field)).join(' ')
  const own = html(kind, title, fields)
  if (!inner) return [own]
  if (kind === 'url') return [own, unit('address', title, '', [at(inner, 'externalurl')])]
  if (kind === 'book')
    return [own, ...all(inner, 'chapter').map((one) => html('chapter', at(one, 'title'), at(one, 'content')))]
  if (kind === 'glossary') {
    return [own, ...all(inner, 'entry').map((one) => html('entry', at(one, 'concept'), at(one, 'definition')))]
  }
  return kind === 'lesson' ? [own, ...all(inner, 'page').flatMap((page) => pageUnits(title, page))] : [own]
}

/** Options of a question belong to its page; buttons, responses and what follows an answer need a note. */
function pageUnits(lesson: string, page: XmlNode): SourceUnit[] {
  const answers = all(page, 'answer')
  const isContent = at(page, 'qtype') === '20'
  const isQuestion = !isContent && !['21', '30', '31'].includes(at(page, 'qtype'))
  const options = isQuestion ? answers.map((answer) => at(answer, 'answer_text')).join(' ') : ''
  const rest = answers.map((answer) => `${isContent ? at(answer, 'answer_text') : ''} ${at(answer, 'response')}`)
  const shown =
    isContent || isQuestion ? [html('lesson page', at(page, 'title'), `${at(page, 'contents')} ${options}`)] : []
  const listed = shownBy(rest.join(' ')).text
  if (listed.trim() === '') return shown
  const isListedBy: SourceUnit['isListedBy'] = ({ kind, title }) => kind === 'answers' && title === lesson
  return [...shown, { kind: 'answers', title: lesson, text: listed, links: [], isListedBy }]
}

function html(kind: string, title: string, source: string): SourceUnit {
  const { text, links } = shownBy(source)
  // The name of a label is the beginning of its text, for lists that students do not see.
  return unit(kind, title, kind === 'label' ? text : `${title} ${text}`, links)
}

function filesOf(members: ReadonlyMap<string, Buffer>, owners: ReadonlyMap<string, string>) {
  const byHash = new Map<string, { name: string; owners: string[] }>()
  for (const file of all(nodesOf(members.get('files.xml')), 'file')) {
    const name = at(file, 'filename')
    if (name === '' || name === '.') continue
    const hash = at(file, 'contenthash')
    const known = byHash.get(hash) ?? { name, owners: [] }
    const owner = owners.get(at(file, 'contextid')) ?? `${at(file, 'component')} / ${at(file, 'filearea')}`
    byHash.set(hash, { ...known, owners: [...known.owners, owner] })
  }
  return [...byHash.values()]
}
