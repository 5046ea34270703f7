import { type Member, PIXEL, zipOf } from '../course/packages.ts'

/* A cartridge as Canvas writes it: a test in its own form and in that of Common Cartridge, its settings and a bank. */

const item = (ident: string, text: string, right: string, points = 1) =>
  `<item ident="${ident}" title="${ident}"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>multiple_choice_question</fieldentry></qtimetadatafield><qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>${points}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext texttype="text/html">${text.replaceAll('<', '&lt;')}</mattext></material><response_lid ident="response1" rcardinality="Single"><render_choice><response_label ident="a"><material><mattext texttype="text/plain">Київ</mattext></material></response_label><response_label ident="b"><material><mattext texttype="text/plain">Львів</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes><respcondition continue="No"><conditionvar><varequal respident="response1">${right}</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item>`

const CALCULATED =
  '<item ident="q3" title="Обчисліть"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>calculated_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext>1+x</mattext></material></presentation></item>'

const drawn = (body: string, count: number, more = '') =>
  `<section ident="g${count}" title="Група ${count}"><selection_ordering><selection>${body}<selection_number>${count}</selection_number><selection_extension><points_per_item>3</points_per_item></selection_extension></selection></selection_ordering>${more}</section>`

const questestinterop = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<questestinterop>${body}</questestinterop>`

const TEST = questestinterop(
  `<assessment ident="quiz" title="Перевірка"><section ident="root_section">${item('q1', '<p>Столиця? <img src="%24IMS-CC-FILEBASE%24/map.png"></p>', 'a', 2)}${drawn('<sourcebank_ref>bank</sourcebank_ref>', 1)}\n${drawn('', 2, item('q4', 'Одне', 'a') + item('q5', 'Друге', 'a') + item('q6', 'Третє', 'b'))}${CALCULATED}${item('q2', 'Ще одна?', 'b')}</section></assessment>`,
)
const META =
  '<quiz identifier="quiz"><title>Перевірка</title><description>&lt;p&gt;Прочитайте &lt;a href="$WIKI_REFERENCE$/pages/start"&gt;умови&lt;/a&gt;&lt;/p&gt;</description><shuffle_answers>true</shuffle_answers><scoring_policy>keep_average</scoring_policy><show_correct_answers>false</show_correct_answers><time_limit>20</time_limit><allowed_attempts>-1</allowed_attempts><one_question_at_a_time>true</one_question_at_a_time><cant_go_back>true</cant_go_back><access_code>Канвас</access_code><unlock_at>2026-09-01T06:00:00</unlock_at><lock_at>2026-09-08T06:00:00</lock_at><available>true</available><quiz_type>assignment</quiz_type></quiz>'
const BANK = questestinterop(
  `<objectbank ident="bank"><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel><fieldentry>Банк географії</fieldentry></qtimetadatafield></qtimetadata>${item('b1', 'Банк 1', 'a')}${item('b2', 'Банк 2', 'b')}</objectbank>`,
)
const LAR = 'associatedcontent/imscc_xmlv1p1/learning-application-resource'
const resource = (id: string, type: string, files: string[], more = '') =>
  `<resource identifier="${id}" type="${type}" href="${files[0]}">${files.map((file) => `<file href="${file}"/>`).join('')}${more}</resource>`

/** A course with a page that leads to a test; `isHostile` puts an entity into the test. */
export function cartridgeWithTest({ isHostile = false } = {}): Buffer<ArrayBuffer> {
  const members: Member[] = [
    {
      name: 'imsmanifest.xml',
      bytes: `<manifest><metadata><lom><general><title><string>Географія</string></title></general></lom></metadata><organizations><organization><item identifier="root"><item identifier="m1"><title>Тиждень</title><item identifier="i1" identifierref="page"><title>Початок</title></item><item identifier="i2" identifierref="quiz"><title>Перевірка</title></item></item></item></organization></organizations><resources>${[
        resource('page', 'webcontent', ['wiki_content/start.html']),
        resource(
          'quiz',
          'imsqti_xmlv1p2/imscc_xmlv1p1/assessment',
          ['quiz/assessment_qti.xml'],
          '<dependency identifierref="meta"/>',
        ),
        resource('meta', LAR, ['quiz/assessment_meta.xml', 'non_cc_assessments/quiz.xml.qti']),
        resource('bankfile', LAR, ['non_cc_assessments/bank.xml.qti']),
        resource('map', 'webcontent', ['web_resources/map.png']),
      ].join('')}</resources></manifest>`,
    },
    {
      name: 'wiki_content/start.html',
      bytes: '<html><body><p><a href="$CANVAS_OBJECT_REFERENCE$/quizzes/quiz">До тесту</a></p></body></html>',
    },
    {
      name: 'quiz/assessment_qti.xml',
      bytes: questestinterop('<assessment ident="quiz" title="Перевірка"><section ident="r"/></assessment>'),
    },
    { name: 'quiz/assessment_meta.xml', bytes: META },
    {
      name: 'non_cc_assessments/quiz.xml.qti',
      bytes: isHostile
        ? TEST.replace('\n', '\n<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>').replace('Ще одна', '&x;')
        : TEST,
    },
    { name: 'non_cc_assessments/bank.xml.qti', bytes: BANK },
    { name: 'web_resources/map.png', bytes: PIXEL },
  ]
  return zipOf(members)
}
