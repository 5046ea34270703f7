import { type Member, PDF, PIXEL } from './packages.ts'

const LAR = 'associatedcontent/imscc_xmlv1p1/learning-application-resource'

const page = (title: string, body: string, state = 'active') =>
  `<html><head><title>${title}</title><meta name="workflow_state" content="${state}"/></head><body>${body}</body></html>`

const resource = (id: string, type: string, files: string[], more = '', href = files[0] ?? '') =>
  `<resource identifier="${id}" type="${type}" href="${href}">${files.map((file) => `<file href="${file}"/>`).join('')}${more}</resource>`

const RESOURCES = [
  resource('course_syllabus', LAR, ['course_settings/syllabus.html']),
  resource('settings', LAR, ['course_settings/canvas_export.txt', 'course_settings/course_settings.xml']),
  resource('start', 'webcontent', ['wiki_content/start.html']),
  resource('help', 'webcontent', ['wiki_content/help.html']),
  resource('essay', LAR, ['essay/essay.html', 'essay/assignment_settings.xml']),
  resource('speech', 'assignment_xmlv1p0', ['speech/assignment.xml']),
  `<resource identifier="speech_fallback" type="webcontent"><cpx:variant identifier="v" identifierref="speech"/><file href="speech/speech.html"/></resource>`,
  resource('topic', 'imsdt_xmlv1p1', ['topic.xml'], '<dependency identifierref="topic_meta"/>'),
  resource('topic_meta', LAR, ['topic_meta.xml']),
  resource(
    'quiz',
    'imsqti_xmlv1p2/imscc_xmlv1p1/assessment',
    ['quiz/assessment_qti.xml'],
    '<dependency identifierref="quiz_meta"/>',
  ),
  resource('quiz_meta', LAR, ['quiz/assessment_meta.xml', 'non_cc_assessments/quiz.xml.qti']),
  resource('bank', LAR, ['non_cc_assessments/bank.xml.qti']),
  resource('site', 'imswl_xmlv1p1', ['site.xml']),
  resource('tool', 'imsbasiclti_xmlv1p0', ['tool.xml']),
  resource('icon', 'webcontent', ['web_resources/Icons/read.png']),
  resource('memo', 'webcontent', ['web_resources/memo.pdf']),
  resource('unused', 'webcontent', ['web_resources/unused.pdf']),
  resource('program', 'webcontent', ['web_resources/setup.exe']),
]

/** Resources of the manifest of `canvasPackage`. */
export const CANVAS_RESOURCES = RESOURCES.length

const ITEMS = `<item identifier="m1"><title>Тиждень 1</title>
    <item identifier="i0"><title>Прочитайте спершу</title></item>
    <item identifier="i1" identifierref="start"><title>Початок</title></item>
    <item identifier="i2" identifierref="essay"><title>Есей</title></item>
    <item identifier="i3" identifierref="topic"><title>Знайомство</title></item>
    <item identifier="i4" identifierref="quiz"><title>Перевірка</title></item>
    <item identifier="i5" identifierref="site"><title>Сайт курсу</title></item>
    <item identifier="i6" identifierref="memo"><title>Пам’ятка</title></item>
  </item>`

const START = `<p>Ласкаво просимо</p><p><img src="$IMS-CC-FILEBASE$/Icons/read.png?canvas_download=1" alt="Читати">
  <a href="$WIKI_REFERENCE$/pages/help">Допомога</a> <a href="%24CANVAS_OBJECT_REFERENCE%24/assignments/essay">Есей</a>
  <a href="$CANVAS_OBJECT_REFERENCE$/quizzes/quiz">Тест</a> <a href="$CANVAS_OBJECT_REFERENCE$/modules/m1">Тиждень</a>
  <a href="%24IMS-CC-FILEBASE%24/memo.pdf?canvas_download=1">Пам’ятка</a> <a href="$CANVAS_COURSE_REFERENCE$/grades">Оцінки</a>
  <a href="https://example.org/x"><img src="$IMS-CC-FILEBASE$/Icons/read.png" alt="Значок"></a><b>Далі</b>
  <img class="equation_image" src="/equation_images/x" data-equation-content="\\frac{a}{b}" alt="LaTeX: \\frac{a}{b}"></p>
  <p><img src="https://elsewhere.example/1.jpg" alt="Фото 1">Вітаємо</p>`

/**
 * A course as exported by Canvas: pages inside and outside the outline, assignments of both kinds, and items that are
 * only listed.
 */
export const canvasPackage = (): Member[] => [
  {
    name: 'imsmanifest.xml',
    bytes: `<?xml version="1.0" encoding="UTF-8"?><manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1" xmlns:cpx="http://www.imsglobal.org/xsd/imsccv1p3/imscp_extensionv1p2"><metadata><lom><general><title><string>Курс із Canvas</string></title></general></lom></metadata><organizations><organization identifier="o"><item identifier="LearningModules">${ITEMS}</item></organization></organizations><resources>${RESOURCES.join('')}</resources></manifest>`,
  },
  { name: 'course_settings/syllabus.html', bytes: page('Силабус', '<p>План занять</p>') },
  { name: 'course_settings/canvas_export.txt', bytes: 'What did the panda say?' },
  { name: 'course_settings/course_settings.xml', bytes: '<course><title>Курс із Canvas</title></course>' },
  { name: 'wiki_content/start.html', bytes: page('Початок', START) },
  { name: 'wiki_content/help.html', bytes: page('Куди звертатися', '<p>Пишіть куратору</p>', 'unpublished') },
  { name: 'essay/essay.html', bytes: page('Assignment: Есей', '<p>Напишіть про голос</p>') },
  {
    name: 'essay/assignment_settings.xml',
    bytes:
      '<assignment identifier="essay"><title>Есей</title><points_possible>12.0</points_possible><submission_types>online_upload</submission_types><allowed_extensions>docx,pdf</allowed_extensions></assignment>',
  },
  {
    name: 'speech/assignment.xml',
    bytes:
      '<assignment identifier="speech"><title>Промова</title><text texttype="text/html">&lt;p&gt;Скажіть тост&lt;/p&gt;</text><gradable points_possible="5">true</gradable><submission_formats><format type="file"/></submission_formats></assignment>',
  },
  { name: 'speech/speech.html', bytes: page('Промова', '<p>Скажіть тост</p>') },
  {
    name: 'topic.xml',
    bytes:
      '<topic><title>Знайомство</title><text texttype="text/html">&lt;p&gt;Розкажіть про себе&lt;/p&gt;</text></topic>',
  },
  {
    name: 'topic_meta.xml',
    bytes: '<topicMeta identifier="topic_meta"><topic_id>topic</topic_id><title>Знайомство</title></topicMeta>',
  },
  {
    name: 'quiz/assessment_qti.xml',
    bytes: '<questestinterop><assessment ident="quiz" title="Перевірка"/></questestinterop>',
  },
  { name: 'quiz/assessment_meta.xml', bytes: '<quiz identifier="quiz"><title>Перевірка</title></quiz>' },
  { name: 'non_cc_assessments/quiz.xml.qti', bytes: '<questestinterop/>' },
  {
    name: 'non_cc_assessments/bank.xml.qti',
    bytes:
      '<questestinterop><objectbank ident="bank"><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel><fieldentry>Банк</fieldentry></qtimetadatafield></qtimetadata></objectbank></questestinterop>',
  },
  { name: 'site.xml', bytes: '<webLink><title>Сайт курсу</title><url href="https://example.org/site"/></webLink>' },
  { name: 'tool.xml', bytes: '<cartridge_basiclti_link><title>Тренажер</title></cartridge_basiclti_link>' },
  { name: 'web_resources/Icons/read.png', bytes: PIXEL },
  { name: 'web_resources/memo.pdf', bytes: PDF },
  { name: 'web_resources/unused.pdf', bytes: Buffer.concat([PDF, Buffer.from('% 2\n')]) },
  { name: 'web_resources/setup.exe', bytes: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]) },
]
