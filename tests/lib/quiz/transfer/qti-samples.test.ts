import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import { readQuestionFile } from '#lib/quiz/transfer/read-file.ts'
import { PIXEL, zipOf } from '../../../setup/course/packages.ts'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-qti-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function read(content: string | Uint8Array) {
  const file = path.join(scratch, crypto.randomUUID())
  await writeFile(file, content)
  return readQuestionFile({ path: file, scratch })
}

async function readOne(content: string) {
  const { format, questions } = await read(content)
  expect(questions).toHaveLength(1)
  const [question] = questions
  return { format, ...question, content: question?.draft?.content }
}

/** Items as other systems write them, with the declarations and the processing that the specification names. */
const ITEM = {
  choice: {
    declarations:
      '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>',
    body: '<p>Read the sign.</p><choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1"><prompt>Where may you walk?</prompt><simpleChoice identifier="A">On the road</simpleChoice><simpleChoice identifier="B">On the path</simpleChoice></choiceInteraction>',
  },
  order: {
    declarations:
      '<responseDeclaration identifier="RESPONSE" cardinality="ordered" baseType="identifier"><correctResponse><value>C</value><value>A</value><value>B</value></correctResponse></responseDeclaration>',
    body: '<orderInteraction responseIdentifier="RESPONSE" shuffle="true"><prompt>Order by size.</prompt><simpleChoice identifier="A">cat</simpleChoice><simpleChoice identifier="B">horse</simpleChoice><simpleChoice identifier="C">mouse</simpleChoice></orderInteraction>',
  },
  match: {
    declarations:
      '<responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="directedPair"><correctResponse><value>UA K</value><value>PL W</value></correctResponse></responseDeclaration>',
    body: '<matchInteraction responseIdentifier="RESPONSE" shuffle="true" maxAssociations="2"><prompt>Capitals?</prompt><simpleMatchSet><simpleAssociableChoice identifier="UA" matchMax="1">Ukraine</simpleAssociableChoice><simpleAssociableChoice identifier="PL" matchMax="1">Poland</simpleAssociableChoice></simpleMatchSet><simpleMatchSet><simpleAssociableChoice identifier="K" matchMax="1">Kyiv</simpleAssociableChoice><simpleAssociableChoice identifier="W" matchMax="1">Warsaw</simpleAssociableChoice></simpleMatchSet></matchInteraction>',
  },
  textEntry: {
    declarations:
      '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"><correctResponse><value>York</value></correctResponse><mapping defaultValue="0"><mapEntry mapKey="York" mappedValue="1"/><mapEntry mapKey="york" mappedValue="0.5"/></mapping></responseDeclaration>',
    body: '<p>This sun of <textEntryInteraction responseIdentifier="RESPONSE" expectedLength="15"/> shines.</p>',
  },
  inlineChoice: {
    declarations:
      '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>Y</value></correctResponse></responseDeclaration>',
    body: '<p>The river <inlineChoiceInteraction responseIdentifier="RESPONSE" shuffle="false"><inlineChoice identifier="X">stops</inlineChoice><inlineChoice identifier="Y">flows</inlineChoice></inlineChoiceInteraction>.</p>',
  },
  extendedText: {
    declarations: '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"/>',
    body: '<extendedTextInteraction responseIdentifier="RESPONSE"><prompt>Write a postcard.</prompt></extendedTextInteraction>',
  },
  upload: {
    declarations: '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="file"/>',
    body: '<uploadInteraction responseIdentifier="RESPONSE"><prompt>Add your sheet.</prompt></uploadInteraction>',
  },
} as const

const EXPECTED: Record<keyof typeof ITEM, object> = {
  choice: { type: 'single', options: [{ fraction: 0 }, { fraction: 1 }] },
  order: { type: 'ordering', items: [{}, {}, {}] },
  match: { type: 'matching', prompts: [{}, {}] },
  textEntry: {},
  inlineChoice: { type: 'gapSelect', gaps: [{ options: [{ fraction: 0 }, { fraction: 1 }] }] },
  extendedText: { type: 'essay' },
  upload: { type: 'fileUpload' },
}

const NAMESPACES = { qti21: 'imsqti_v2p1', qti22: 'imsqti_v2p2', qti30: 'imsqtiasi_v3p0' } as const
type Version = keyof typeof NAMESPACES

function itemOf(version: Version, { declarations, body }: { declarations: string; body: string }): string {
  const outcome = '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>'
  const xml = `<assessmentItem xmlns="http://www.imsglobal.org/xsd/${NAMESPACES[version]}" identifier="i1" title="Sample" adaptive="false" timeDependent="false">${declarations}${outcome}<itemBody>${body}</itemBody><responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${version === 'qti30' ? qti3Of(xml) : xml}`
}

/** The names of QTI 3: `qti-` before elements of QTI, and hyphens. */
function qti3Of(xml: string): string {
  const hyphenated = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return xml
    .replace(/(<\/?)([a-z]\w*)/gi, (whole, start: string, name: string) =>
      /^(p|img)$/.test(name) ? whole : `${start}qti-${hyphenated(name)}`,
    )
    .replace(/\s([a-z]+[A-Z]\w*)=/g, (_, name: string) => ` ${hyphenated(name)}=`)
}

const CASES = (Object.keys(NAMESPACES) as Version[]).flatMap((version) =>
  (Object.keys(ITEM) as (keyof typeof ITEM)[]).map((name) => ({ version, name })),
)

describe('a single item', () => {
  test.each(CASES)('of $version with the interaction $name is imported', async ({ version, name }) => {
    const question = await readOne(itemOf(version, ITEM[name]))
    expect(question.format).toBe(version)
    expect(question.verdict, question.reasons?.join()).not.toBe('skipped')
    expect(question.content).toMatchObject(EXPECTED[name])
  })

  test('keeps the order, the pairs and the shares of accepted texts', async () => {
    const order = (await readOne(itemOf('qti21', ITEM.order))).content
    if (order?.type !== 'ordering') throw new Error('no ordering')
    expect(order.items.map(({ content }) => plainTextOf(content))).toEqual(['mouse', 'cat', 'horse'])
    const match = (await readOne(itemOf('qti30', ITEM.match))).content
    if (match?.type !== 'matching') throw new Error('no matching')
    const textOf = new Map(match.choices.map(({ id, content }) => [id, plainTextOf(content)]))
    expect(match.prompts.map(({ choiceId }) => textOf.get(choiceId ?? ''))).toEqual(['Kyiv', 'Warsaw'])
    expect(JSON.stringify((await readOne(itemOf('qti22', ITEM.textEntry))).content)).toContain('"text":"York"')
  })
})

describe('a package', () => {
  test.each(['qti21', 'qti22', 'qti30'] as const)(
    'of %s brings its items in order, with their image',
    async (version) => {
      const picture = {
        ...ITEM.choice,
        body: ITEM.choice.body.replace('</p>', '<img src="images/sign.png" alt="Sign"/></p>'),
      }
      const resource = (name: string) =>
        `<resource identifier="${name}" type="imsqti_item_xmlv2p1" href="${name}.xml"><file href="${name}.xml"/></resource>`
      const bytes = zipOf([
        {
          name: 'imsmanifest.xml',
          bytes: `<manifest><organizations/><resources>${resource('b')}${resource('a')}</resources></manifest>`,
        },
        { name: 'a.xml', bytes: itemOf(version, ITEM.extendedText) },
        { name: 'b.xml', bytes: itemOf(version, picture) },
        { name: 'images/sign.png', bytes: PIXEL },
      ])
      const { format, questions, files } = await read(bytes)
      expect(format).toBe(version)
      expect(questions.map(({ draft, verdict }) => [draft?.content.type, verdict])).toEqual([
        ['single', 'imported'],
        ['essay', 'imported'],
      ])
      expect(files).toMatchObject([{ name: 'sign.png', picture: true }])
    },
  )
})

const field = (label: string, entry: string) =>
  `<qtimetadatafield><fieldlabel>${label}</fieldlabel><fieldentry>${entry}</fieldentry></qtimetadatafield>`
const item12 = (kind: string, presentation: string, processing = '') =>
  `<item ident="i-${kind}" title="${kind}"><itemmetadata><qtimetadata>${field('question_type', kind)}${field('points_possible', '2.0')}</qtimetadata></itemmetadata><presentation>${presentation}</presentation>${processing}</item>`
const material = (text: string) =>
  `<material><mattext texttype="text/html">&lt;p&gt;${text}&lt;/p&gt;</mattext></material>`
const labels = (...texts: string[]) =>
  texts
    .map(
      (text, index) =>
        `<response_label ident="l${index + 1}"><material><mattext>${text}</mattext></material></response_label>`,
    )
    .join('')
const condition = (tests: string, score = 100) =>
  `<respcondition continue="No"><conditionvar>${tests}</conditionvar><setvar action="Set" varname="SCORE">${score}</setvar></respcondition>`
const processing = (...conditions: string[]) =>
  `<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>${conditions.join('')}</resprocessing>`
const equal = (ident: string, value: string) => `<varequal respident="${ident}">${value}</varequal>`
const fib =
  '<response_str ident="r" rcardinality="Single"><render_fib><response_label ident="a"/></render_fib></response_str>'
const choices = (cardinality: string, ...texts: string[]) =>
  `<response_lid ident="r" rcardinality="${cardinality}"><render_choice>${labels(...texts)}</render_choice></response_lid>`
const document12 = (...items: string[]) =>
  `<?xml version="1.0"?>\n<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="Test"><section ident="root">${items.join('\n')}</section></assessment></questestinterop>`

describe('a file of QTI 1.2', () => {
  test.each<[kind: string, presentation: string, process: string, expected: object]>([
    [
      'multiple_choice_question',
      material('Capital?') + choices('Single', 'Kyiv', 'Lviv'),
      processing(condition(equal('r', 'l1'))),
      { type: 'single', options: [{ fraction: 1 }, { fraction: 0 }], points: 2 },
    ],
    [
      'true_false_question',
      material('Water boils.') + choices('Single', 'True', 'False'),
      processing(condition(equal('r', 'l2'))),
      { type: 'trueFalse', correct: false },
    ],
    [
      'multiple_answers_question',
      material('Even?') + choices('Multiple', '2', '3', '4'),
      processing(condition(`<and>${equal('r', 'l1')}<not>${equal('r', 'l2')}</not>${equal('r', 'l3')}</and>`)),
      { type: 'multiple', options: [{ fraction: 0.5 }, { fraction: 0 }, { fraction: 0.5 }] },
    ],
    [
      'short_answer_question',
      material('Author?') + fib,
      processing(condition(equal('r', 'Shevchenko'))),
      { type: 'shortText', accepted: [{ text: 'Shevchenko', fraction: 1 }] },
    ],
    [
      'numerical_question',
      material('Year?') + fib,
      processing(
        condition(
          `<or>${equal('r', '988')}<and><vargte respident="r">986</vargte><varlte respident="r">990</varlte></and></or>`,
        ),
      ),
      { type: 'number' },
    ],
    ['essay_question', material('Why?') + fib, '', { type: 'essay' }],
    ['file_upload_question', material('Sheet?'), '', { type: 'fileUpload' }],
    [
      'matching_question',
      material('Pairs') +
        ['UA', 'PL']
          .map(
            (name) =>
              `<response_lid ident="r${name}">${material(name)}<render_choice>${labels('Kyiv', 'Warsaw')}</render_choice></response_lid>`,
          )
          .join(''),
      processing(condition(equal('rUA', 'l1'), 50), condition(equal('rPL', 'l2'), 50)),
      { type: 'matching', prompts: [{}, {}], choices: [{}, {}] },
    ],
    [
      'multiple_dropdowns_question',
      material('The river [verb].') +
        `<response_lid ident="response_verb"><material><mattext>verb</mattext></material><render_choice>${labels('flows', 'stops')}</render_choice></response_lid>`,
      processing(condition(equal('response_verb', 'l1'))),
      { type: 'gapSelect', gaps: [{ options: [{ fraction: 1 }, { fraction: 0 }] }] },
    ],
    [
      'fill_in_multiple_blanks_question',
      material('The river [verb].') +
        `<response_lid ident="response_verb"><material><mattext>verb</mattext></material><render_choice>${labels('flows')}</render_choice></response_lid>`,
      processing(condition(equal('response_verb', 'l1'))),
      { type: 'gapText', gaps: [{ accepted: [{ text: 'flows' }] }] },
    ],
  ])('with the item %s is imported', async (kind, presentation, process, expected) => {
    const question = await readOne(document12(item12(kind, presentation, process)))
    expect(question.format).toBe('qti12')
    expect(question.verdict, question.reasons?.join()).not.toBe('skipped')
    expect(question.content).toMatchObject(expected)
  })

  const area = (shape: string, coords: string) =>
    `<response_label ident="${shape}" rarea="${shape}">${coords}</response_label>`
  const hotspot = (...areas: string[]) =>
    item12(
      'hot_spot_question',
      `<flow><response_xy ident="r" rcardinality="Multiple">${material('Where is the heart?')}<render_hotspot><material><matimage uri="data:image/png;base64,${PIXEL.toString('base64')}"/></material>${areas.join('')}</render_hotspot></response_xy></flow>`,
    )

  test('with a region of an image as Canvas writes it is imported with the corners as shares', async () => {
    const question = await readOne(
      document12(hotspot(area('rectangle', '0.616,0.4256,0.372,0.1376'), area('bounded', '0.1,0.1,0.3,0.1,0.2,0.4'))),
    )
    // The file has no description of the image, which students who cannot see it need.
    expect(question).toMatchObject({ verdict: 'changed', reasons: ['incomplete'] })
    expect(question.content).toMatchObject({
      type: 'hotspot',
      points: 2,
      imageFileId: expect.any(String),
      regions: [
        { correct: true, shape: { kind: 'rectangle', x: 0.372, y: 0.1376, width: 0.244, height: 0.288 } },
        {
          correct: true,
          shape: {
            kind: 'polygon',
            points: [
              [0.1, 0.1],
              [0.3, 0.1],
              [0.2, 0.4],
            ],
          },
        },
      ],
    })
    expect(question.content && plainTextOf(question.content.stem)).toBe('Where is the heart?')
  })

  test('reports a region that it cannot read or whose meaning is not documented', async () => {
    const ellipse = await readOne(document12(hotspot(area('ellipse', '0.2,0.2,0.4,0.6'), area('rectangle', '0.3'))))
    expect(ellipse).toMatchObject({ verdict: 'changed', reasons: ['scoring_changed', 'incomplete'] })
    expect(ellipse.content).toMatchObject({
      regions: [{ shape: { kind: 'ellipse', x: 0.3, y: 0.4, radiusX: 0.1, radiusY: 0.2 } }],
    })
    for (const coords of ['', '0.372', '1,2,3,4', '0.1,0.1,0.1,0.4', 'a,b,c,d']) {
      expect(await readOne(document12(hotspot(area('rectangle', coords)))), coords).toMatchObject({
        verdict: 'skipped',
        reasons: ['no_answers'],
      })
    }
  })
})
