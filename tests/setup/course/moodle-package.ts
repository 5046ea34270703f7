import { type Member, PDF, PIXEL } from './packages.ts'

const escaped = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const NULL = '$@NULL@$'

interface Activity {
  id: string
  kind: string
  title: string
  /** Fields of the activity: HTML is escaped, nested XML is given unchanged. */
  body: string
  visible?: boolean
}

const field = (name: string, html: string) => `<${name}>${escaped(html)}</${name}><${name}format>1</${name}format>`

const lessonPage = (id: number, next: number, type: number, title: string, text: string, answers: [string, string][]) =>
  `<page id="${id}"><prevpageid>${id === 61 ? 0 : id - 1}</prevpageid><nextpageid>${next}</nextpageid><qtype>${type}</qtype><title>${title}</title>${field('contents', text)}<answers>${answers
    .map(
      ([text, response], index) =>
        `<answer id="${id}${index}"><answer_text>${escaped(text)}</answer_text><response>${escaped(response)}</response></answer>`,
    )
    .join('')}</answers></page>`

const ACTIVITIES: Activity[] = [
  { id: '11', kind: 'label', title: 'Напис', body: field('intro', '<h3>Вітаємо на курсі</h3>') },
  {
    id: '12',
    kind: 'lesson',
    title: 'Дихання',
    body: `${field('intro', '<p>Вступ до лекції</p>')}<pages>${[
      lessonPage(62, 63, 3, 'Перевірка', '<p>Скільки вдихів?</p>', [
        ['Один', 'Ні'],
        ['<p>Два</p>', 'Так'],
      ]),
      lessonPage(
        61,
        62,
        20,
        'Перша сторінка',
        '<p>Текст першої сторінки <img src="@@PLUGINFILE@@/схема.png" alt="Схема"></p><object><param name="movie" value="//www.youtube.com/v/dQw4w9WgXcQ"></object>',
        [['Далі', NULL]],
      ),
      lessonPage(
        63,
        0,
        20,
        'Остання',
        '<table><caption>Підпис таблиці</caption><td>Клітинка без рядка</td></table>',
        [],
      ),
    ].join('')}</pages>`,
  },
  {
    id: '13',
    kind: 'glossary',
    title: 'Терміни',
    body: `${field('intro', '')}<entries><entry id="71"><concept>Діафрагма</concept>${field('definition', '<p>М’яз, яким дихають</p>')}<aliases><alias><alias_text>перепона</alias_text></alias></aliases></entry></entries>`,
  },
  {
    id: '14',
    kind: 'assign',
    title: 'Запишіть голос',
    body: `${field('intro', '<p>Запишіть хвилину голосу. <a href="$@LESSONVIEWBYID*12@$">Лекція</a></p>')}<grade>100</grade><nosubmissions>0</nosubmissions><plugin_configs><plugin_config id="1"><name>filetypeslist</name><value>.mp3,.wav</value></plugin_config></plugin_configs>`,
  },
  { id: '15', kind: 'quiz', title: 'Контрольна', body: field('intro', '<p>Умови контрольної</p>') },
  { id: '16', kind: 'forum', title: 'Новини', body: field('intro', '<p>Оголошення викладача</p>') },
  {
    id: '17',
    kind: 'page',
    title: 'Прихована',
    visible: false,
    body: field('content', '<p>Для викладачів <a href="$@QUIZVIEWBYID*15@$">контрольна</a></p>'),
  },
  {
    id: '18',
    kind: 'book',
    title: 'Посібник',
    body: `${field('intro', '')}<chapters><chapter id="81"><subchapter>0</subchapter><title>Розділ</title>${field('content', `<p>Зміст розділу <a href="https://example.org/doc"><img src="data:image/png;base64,${PIXEL.toString('base64')}" alt="Обкладинка"></a></p>`)}</chapter></chapters>`,
  },
  {
    id: '22',
    kind: 'assignment',
    title: 'Усна відповідь',
    body: `${field('intro', '<p>Розкажіть про дихання</p>')}<assignmenttype>offline</assignmenttype><grade>87</grade>`,
  },
  { id: '21', kind: 'constructor', title: 'Дивна', body: field('intro', '<p>Вид, якого немає</p>') },
  { id: '19', kind: 'wiki', title: 'Вікі', body: field('intro', '<p>Спільні нотатки</p>') },
]

const contextOf = (id: string) => `5${id}`

/**
 * A backup as written by Moodle, with every kind of activity that is imported differently and some that are not
 * imported.
 */
export function moodlePackage(): Member[] {
  const activity = ({ id, kind, title }: Activity) =>
    `<activity><moduleid>${id}</moduleid><sectionid>7</sectionid><modulename>${kind}</modulename><title>${title}</title><directory>activities/${kind}_${id}</directory></activity>`
  const files: string[] = []
  const stored: Member[] = []
  const file = (name: string, bytes: Buffer, context: string, component: string, area: string, item = '0') => {
    const hash = String(stored.length + 1)
      .repeat(40)
      .slice(0, 40)
    files.push(
      `<file id="${stored.length}"><contenthash>${hash}</contenthash><contextid>${context}</contextid><component>${component}</component><filearea>${area}</filearea><itemid>${item}</itemid><filepath>/</filepath><filename>${name}</filename></file>`,
    )
    stored.push({ name: `files/${hash.slice(0, 2)}/${hash}`, bytes })
  }
  file('схема.png', PIXEL, contextOf('12'), 'mod_lesson', 'page_contents', '61')
  file('зразок.pdf', PDF, contextOf('14'), 'mod_assign', 'introattachment')
  file('таблиця.pdf', PDF, contextOf('15'), 'mod_quiz', 'intro')
  file('розділ.png', PIXEL, '50', 'course', 'section', '7')
  file('забуте.pdf', PDF, contextOf('18'), 'mod_book', 'chapter', '81')
  return [
    {
      name: 'moodle_backup.xml',
      bytes: `<?xml version="1.0" encoding="UTF-8"?><moodle_backup><information><original_wwwroot>https://moodle.example</original_wwwroot><original_course_fullname>Голос</original_course_fullname><contents><activities>${ACTIVITIES.map(activity).join('')}</activities><sections><section><sectionid>7</sectionid><title>1</title><directory>sections/section_7</directory></section></sections></contents></information></moodle_backup>`,
    },
    {
      name: 'sections/section_7/section.xml',
      bytes: `<section id="7"><number>1</number><name>Тиждень</name>${field('summary', '<p>Огляд тижня <img src="@@PLUGINFILE@@/розділ.png" alt="Розділ"></p>')}<sequence>${ACTIVITIES.map(({ id }) => id).join(',')}</sequence><visible>1</visible></section>`,
    },
    {
      name: 'course/course.xml',
      bytes: `<course id="3" contextid="50"><fullname>Голос</fullname>${field('summary', '<p>Про курс загалом</p>')}</course>`,
    },
    ...ACTIVITIES.flatMap(({ id, kind, title, body, visible = true }) => [
      {
        name: `activities/${kind}_${id}/${kind}.xml`,
        bytes: `<activity id="${id}" moduleid="${id}" modulename="${kind}" contextid="${contextOf(id)}"><${kind} id="${id}"><name>${title}</name>${body}</${kind}></activity>`,
      },
      {
        name: `activities/${kind}_${id}/module.xml`,
        bytes: `<module id="${id}"><visible>${visible ? 1 : 0}</visible></module>`,
      },
    ]),
    { name: 'files.xml', bytes: `<files>${files.join('')}</files>` },
    {
      name: 'questions.xml',
      bytes:
        '<question_categories><question_category id="1"><name>Усі запитання</name><questions><question id="1"><name>Перше</name></question></questions></question_category></question_categories>',
    },
    ...stored,
  ]
}
