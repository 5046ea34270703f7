import { type Member, PIXEL, tarOf } from '../course/packages.ts'

/* Backups of Moodle with a question bank and a quiz, in the forms of Moodle 3 and of Moodle 4. */

const html = (name: string, text: string, format = '1') =>
  `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}><${name}format>${format}</${name}format>`

const answer = (id: number, text: string, fraction: number, feedback = '') =>
  `<answer id="${id}">${html('answertext', text)}<fraction>${fraction.toFixed(7)}</fraction>${html('feedback', feedback)}</answer>`

const question = (id: number, type: string, text: string, plugin: string, more = '') =>
  `<question id="${id}"><parent>0</parent><name>Питання ${id}</name>${html('questiontext', text)}${html('generalfeedback', '')}<defaultmark>2.0000000</defaultmark><qtype>${type}</qtype>${more}<plugin_qtype_${type}_question>${plugin}</plugin_qtype_${type}_question></question>`

const answers = (...list: string[]) => `<answers>${list.join('')}</answers>`

const QUESTIONS = [
  question(
    1,
    'multichoice',
    '<p>Столиця <img src="@@PLUGINFILE@@/мапа.png" alt="Мапа"></p>',
    `${answers(answer(11, '<p>Київ</p>', 1, 'Так'), answer(12, '<p>Львів</p>', 0))}<multichoice id="1"><single>1</single><shuffleanswers>0</shuffleanswers></multichoice>`,
    '<tags><tag id="71"><name>гео</name><rawname>Гео</rawname></tag></tags>',
  ),
  question(
    2,
    'truefalse',
    'Вода мокра',
    `${answers(answer(21, 'Неправда', 0), answer(22, 'Правда', 1))}<truefalse id="1"><trueanswer>22</trueanswer><falseanswer>21</falseanswer></truefalse>`,
  ),
  question(
    3,
    'numerical',
    'Число π',
    `${answers(answer(31, '3.14', 1))}<numerical_units></numerical_units><numerical_records><numerical_record id="1"><answer>31</answer><tolerance>0.01</tolerance></numerical_record></numerical_records>`,
  ),
  question(
    4,
    'match',
    'З’єднайте',
    `<matchoptions id="1"><shuffleanswers>1</shuffleanswers></matchoptions><matches><match id="41">${html('questiontext', 'Україна')}<answertext>Київ</answertext></match><match id="42">${html('questiontext', 'Польща')}<answertext>Варшава</answertext></match></matches>`,
  ),
  question(
    5,
    'multianswer',
    '<p>Реве та {#1} Дніпр</p>',
    `${answers()}<multianswer id="1"><question>5</question><sequence>51</sequence></multianswer>`,
  ),
  `<question id="51"><parent>5</parent><name>Частина</name>${html('questiontext', '{1:SHORTANSWER:=стогне}')}<qtype>shortanswer</qtype></question>`,
  question(
    6,
    'ddwtos',
    'Слово [[1]] тут',
    answers(
      answer(61, 'одне', 0, 'O:8:"stdClass":2:{s:9:"draggroup";s:1:"1";s:8:"infinite";b:0;}'),
      answer(62, 'інше', 0, 'O:8:"stdClass":2:{s:9:"draggroup";i:1;s:8:"infinite";b:0;}'),
    ),
  ),
  question(7, 'calculated', 'Скільки буде {a}+{b}?', answers(answer(71, '{a}+{b}', 1))),
  question(
    8,
    'shortanswer',
    'Автор',
    `${answers(answer(81, 'Шевченко', 1))}<shortanswer id="1"><usecase>0</usecase></shortanswer>`,
  ),
]

const inCategory = (id: number, name: string, questions: string, parent = 0) =>
  `<question_category id="${id}"><name>${name}</name><parent>${parent}</parent>${questions}</question_category>`

/** As Moodle 4 writes them: each question in an entry with its versions. */
const entry = (xml: string) => {
  const id = /<question id="(\d+)"/.exec(xml)?.[1] ?? ''
  const old = xml.replace('Автор', 'Автор, стара версія').replace(`<question id="${id}"`, `<question id="9${id}"`)
  const version = (number: number, content: string) =>
    `<question_versions id="${number}"><version>${number}</version><status>ready</status><questions>${content}</questions></question_versions>`
  const versions = id === '8' ? version(1, old) + version(2, xml) : version(1, xml)
  return `<question_bank_entry id="10${id}"><question_version>${versions}</question_version></question_bank_entry>`
}

const RANDOM_IN_MOODLE_3 = question(9, 'random', '0', '')

const SETTINGS =
  `${html('intro', '<p>Умови <b>контрольної</b></p>')}<timeopen>1767225600</timeopen><timeclose>0</timeclose><timelimit>1800</timelimit><overduehandling>graceperiod</overduehandling><graceperiod>120</graceperiod><preferredbehaviour>deferredfeedback</preferredbehaviour><attempts_number>3</attempts_number><grademethod>4</grademethod><questionsperpage>2</questionsperpage><navmethod>sequential</navmethod><shuffleanswers>1</shuffleanswers><grade>10.00000</grade><password>слово</password><delay1>600</delay1><delay2>600</delay2><reviewmarks>16</reviewmarks><reviewcorrectness>16</reviewcorrectness><reviewrightanswer>16</reviewrightanswer><reviewgeneralfeedback>0</reviewgeneralfeedback><feedbacks><feedback id="1"><feedbacktext>&lt;p&gt;Чудово&lt;/p&gt;</feedbacktext><mingrade>8.00000</mingrade></feedback></feedbacks>` +
  '<sections><section id="1"><firstslot>1</firstslot><heading>Частина А</heading><shufflequestions>1</shufflequestions></section><section id="2"><firstslot>4</firstslot><heading>Частина Б</heading><shufflequestions>1</shufflequestions></section></sections>'

const slot4 = (number: number, body: string) =>
  `<question_instance id="${number}"><slot>${number}</slot><maxmark>1.5000000</maxmark>${body}</question_instance>`
const reference = (entryId: number) =>
  `<question_reference id="1"><questionbankentryid>${entryId}</questionbankentryid><version>$@NULL@$</version></question_reference>`
const FILTER = JSON.stringify({
  filter: { category: { jointype: 1, values: ['2'], filteroptions: { includesubcategories: false } } },
})
const drawn = `<question_set_reference id="1"><filtercondition>${FILTER.replaceAll('"', '&quot;')}</filtercondition></question_set_reference>`
const slot3 = (number: number, questionId: number) =>
  `<question_instance id="${number}"><slot>${number}</slot><questionid>${questionId}</questionid><maxmark>1.5000000</maxmark></question_instance>`

/** A backup with one quiz: six fixed questions (one of an unknown type), and two that are drawn from a category. */
export function moodleQuizPackage(moodle: 3 | 4): Promise<Buffer<ArrayBuffer>> {
  const main = QUESTIONS.slice(0, 8).join('')
  const [author = ''] = QUESTIONS.slice(8)
  const categories =
    moodle === 3
      ? inCategory(1, 'Основна', `<questions>${main}</questions>`) +
        inCategory(2, 'Випадкові', `<questions>${author}${RANDOM_IN_MOODLE_3}</questions>`)
      : inCategory(
          1,
          'Основна',
          `<question_bank_entries>${QUESTIONS.slice(0, 8).map(entry).join('')}</question_bank_entries>`,
        ) + inCategory(2, 'Випадкові', `<question_bank_entries>${entry(author)}</question_bank_entries>`)
  const ids = [1, 2, 3, 4, 5, 7]
  const slots =
    moodle === 3
      ? [...ids, 9, 9].map((id, index) => slot3(index + 1, id))
      : [...ids.map((id, index) => slot4(index + 1, reference(Number(`10${id}`)))), slot4(7, drawn), slot4(8, drawn)]
  const members: Member[] = [
    {
      name: 'moodle_backup.xml',
      bytes:
        '<?xml version="1.0" encoding="UTF-8"?><moodle_backup><information><original_course_fullname>Тести</original_course_fullname><contents><activities><activity><moduleid>15</moduleid><sectionid>7</sectionid><modulename>quiz</modulename><title>Контрольна</title><directory>activities/quiz_15</directory></activity><activity><moduleid>16</moduleid><sectionid>7</sectionid><modulename>page</modulename><title>Сторінка</title><directory>activities/page_16</directory></activity></activities><sections><section><sectionid>7</sectionid><directory>sections/section_7</directory></section></sections></contents></information></moodle_backup>',
    },
    {
      name: 'activities/quiz_15/quiz.xml',
      bytes: `<activity id="15" moduleid="15" modulename="quiz" contextid="515"><quiz id="15"><name>Контрольна</name>${SETTINGS}<question_instances>${slots.join('')}</question_instances></quiz></activity>`,
    },
    {
      name: 'activities/quiz_15/grades.xml',
      bytes:
        '<activity_gradebook><grade_items><grade_item id="1"><gradepass>7.50000</gradepass></grade_item></grade_items></activity_gradebook>',
    },
    {
      name: 'activities/page_16/page.xml',
      bytes: `<activity id="16" moduleid="16" modulename="page" contextid="516"><page id="16"><name>Сторінка</name>${html('content', '<p>До <a href="$@QUIZVIEWBYID*15@$">контрольної</a></p>')}</page></activity>`,
    },
    {
      name: 'files.xml',
      bytes: `<files><file id="1"><contenthash>${'a'.repeat(40)}</contenthash><contextid>50</contextid><component>question</component><filearea>questiontext</filearea><itemid>1</itemid><filepath>/</filepath><filename>мапа.png</filename></file></files>`,
    },
    { name: 'questions.xml', bytes: `<question_categories>${categories}</question_categories>` },
    { name: `files/aa/${'a'.repeat(40)}`, bytes: PIXEL },
  ]
  return tarOf(members)
}
