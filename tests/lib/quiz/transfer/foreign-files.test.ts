import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readQuestionFile } from '#lib/quiz/transfer/read-file.ts'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'questions-'))
})
afterAll(() => rm(scratch, { recursive: true }))

async function read(content: string) {
  const path = join(scratch, 'file')
  await writeFile(path, content)
  return (await readQuestionFile({ path, scratch })).questions
}

const outcomes = async (content: string) =>
  (await read(content)).map(({ draft, reasons }) => [draft?.content.type ?? 'skipped', reasons.join(' ')])

/** The texts of the answers with their shares. */
async function keysOf(content: string) {
  return (await read(content)).map(({ draft }) => {
    const question = draft?.content
    if (question?.type === 'single' || question?.type === 'multiple')
      return question.options.filter(({ fraction }) => fraction > 0).map((option) => JSON.stringify(option.content))
    if (question?.type === 'shortText') return question.accepted.map(({ text }) => text)
    if (question?.type === 'number')
      return question.accepted.map((entry) =>
        entry.kind === 'value' ? `${entry.value}±${entry.tolerance}` : `${entry.min}..${entry.max}`,
      )
    return []
  })
}

describe('GIFT of other products', () => {
  test('needs no escapes in the stem', async () => {
    const questions = await read(
      '::T::Is 1+1:=2 {\nT}\n\nAt 10:30, 5#10 = x ~ y? {=yes#good ~no#bad}\n\nThe text $$\\frac{1}{2}=x$$ {=0.5}\n',
    )
    expect(questions.map(({ verdict, draft }) => [verdict, draft?.content.type])).toEqual([
      ['imported', 'trueFalse'],
      ['imported', 'single'],
      ['imported', 'shortText'],
    ])
    expect(questions[1]?.title).toBe('At 10:30, 5#10 = x ~ y?')
    expect(JSON.stringify(questions[2]?.draft?.content.stem)).toContain('"latex":"\\\\frac{1}{2}=x"')
  })

  test('has numbers without a leading zero, with commas, tolerances and ranges', async () => {
    expect(await keysOf('a {#.125:.005}\n\nb {#0,5:0,25}\n\nc {#-.5..1.}\n\nd {#=1:0 =%50%2:1}')).toEqual([
      ['0.125±0.005'],
      ['0.5±0.25'],
      ['-0.5..1'],
      ['1±0', '2±1'],
    ])
    expect(await outcomes('a {#about five}')).toEqual([['skipped', 'number_unreadable']])
  })

  test('keeps the shares of the options and tells that wrong options deduct here', async () => {
    const [shares, single] = await read('a {~%50%b ~%50%c ~d}\n\nb {~%-50%x =%100%y ~z}')
    expect(shares).toMatchObject({ reasons: ['scoring_changed'], draft: { content: { type: 'multiple' } } })
    expect(shares?.draft?.content).toMatchObject({ options: [{ fraction: 0.5 }, { fraction: 0.5 }, { fraction: 0 }] })
    expect(single).toMatchObject({ reasons: [], draft: { content: { type: 'single' } } })
    expect(single?.draft?.content).toMatchObject({ options: [{ fraction: -0.5 }, { fraction: 1 }, { fraction: 0 }] })
    expect(await outcomes('a {=b =c ~d}')).toEqual([['multiple', 'type_changed scoring_changed']])
  })

  test('formats Markdown, and continues a question after an empty line', async () => {
    const [question] = await read('::M::[markdown]Choose **bold** and `code`, \\(a_1\\):\n\n{=yes ~no}\n\n::N::b {T}\n')
    const stem = JSON.stringify(question?.draft?.content.stem)
    expect(question?.reasons).toEqual([])
    expect(stem).toContain('"type":"bold"')
    expect(stem).toContain('"type":"code"')
    expect(stem).toContain('"latex":"a_1"')
  })

  test('reads HTML with attributes and formulas in answers', async () => {
    const [first, second] = await read(
      'a {=<a href="https://example.test/?a=b#c">x</a> ~y}\n\nb {=$$x^{2}=4$$ ~$$x^{2}\\~5$$#no}',
    )
    expect(JSON.stringify(first?.draft?.content)).toContain('https://example.test/?a=b#c')
    expect(JSON.stringify(second?.draft?.content)).toContain('"latex":"x^{2}=4"')
    expect(second?.draft?.content).toMatchObject({ type: 'single', options: [{ fraction: 1 }, { fraction: 0 }] })
  })

  test.each(['a {', 'b {=x ~y', '::a:: {=x -> y =z}'])('reports the error in %j', async (source) => {
    expect(await outcomes(`${source}\n\n::Next:: {T}`)).toEqual([
      ['skipped', 'syntax'],
      ['trueFalse', 'incomplete'],
    ])
  })
})

describe('Tables of other products', () => {
  const text = (value: string) => expect.stringContaining(`"text":"${value}"`)

  test('of Kahoot have title rows, described columns and a key of numbers', async () => {
    const table =
      'Quiz template\n,Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,Answer 3 - max 75 characters,"Time limit (sec) – 5, 10, 20",Correct answer(s) - choose at least one\n1,2+2?,3,4,5,20,2\n2,Primes?,2,3,4,20,"1,2"\n'
    expect(await outcomes(table)).toEqual([
      ['single', 'column_unknown'],
      ['multiple', 'column_unknown'],
    ])
    expect(await keysOf(table)).toEqual([[text('4')], [text('2'), text('3')]])
  })

  test('of Quizizz have types and explanations', async () => {
    const table =
      'Question Text,Question Type,Option 1,Option 2,Correct Answer,Answer explanation\nCapital?,Multiple Choice,Kyiv,Lviv,1,Since 1934\nSum?,Fill-in-the-Blank,4,four,,\nWhy?,Open-Ended,,,,\nYour view?,Poll,a,b,,\n'
    expect(await outcomes(table)).toEqual([
      ['single', ''],
      ['shortText', ''],
      ['essay', ''],
      ['skipped', 'type_unsupported'],
    ])
    expect(await keysOf(table)).toEqual([[text('Kyiv')], ['4', 'four'], [], []])
  })

  test('of Google Forms have a key of texts', async () => {
    const lettered =
      'Питання;Тип питання;Варіант A;Варіант B;Варіант C;Правильна відповідь\nСтолиця;MULTIPLE_CHOICE;Київ;Львів;;Київ\nПрості;CHECKBOX;2;3;4;2, 3\nРік;SHORT_ANSWER;;;;1991\n'
    expect(await keysOf(lettered)).toEqual([[text('Київ')], [text('2'), text('3')], ['1991']])
    const joined = 'Question,Type,Options,Answer\nEven?,Checkboxes,2|3|4,2|4\nCapital?,Multiple choice,Kyiv;Lviv,D\n'
    expect(await keysOf(joined)).toEqual([[text('2'), text('4')], []])
    expect(await outcomes(joined)).toEqual([
      ['multiple', ''],
      ['single', 'scoring_changed incomplete'],
    ])
  })
})

test('QTI 1.2 with a document type is read without loading anything', async () => {
  const item =
    '<item title="Order" ident="i"><presentation><material><mattext>Order</mattext></material><response_lid ident="r" rcardinality="Ordered"><render_choice><response_label ident="A"><material><mattext>a</mattext></material></response_label><response_label ident="B"><material><mattext>b</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal respident="r">B</varequal><varequal respident="r">A</varequal></conditionvar><setvar action="Set">1</setvar></respcondition></resprocessing></item>'
  const doctype =
    '<!DOCTYPE questestinterop SYSTEM "http://127.0.0.1:9/ims.dtd" [\n<!-- extension ]> -->\n<!ELEMENT a (b+)>\n<!ATTLIST a c (Yes|No) "]>" >\n]>'
  const [question] = await read(`<?xml version="1.0"?>\n${doctype}\n<questestinterop>\n${item}\n</questestinterop>`)
  expect(question).toMatchObject({ line: 8, verdict: 'imported', draft: { content: { type: 'ordering' } } })
})

describe('Moodle XML', () => {
  const cloze = (source: string) =>
    `<?xml version="1.0"?><quiz><question type="cloze"><questiontext format="html"><text><![CDATA[${source}]]></text></questiontext></question></quiz>`

  test('reports a Cloze text with an error', async () => {
    expect(await outcomes(cloze('Grade: {3:NUMERICAL:=zero}'))).toEqual([['skipped', 'number_unreadable']])
    expect(await outcomes(cloze('a {1:UNKNOWN:=b}'))).toEqual([['skipped', 'syntax']])
    expect(await outcomes(cloze('a {1:MULTICHOICE}'))).toEqual([['skipped', 'syntax']])
    expect(await outcomes(cloze('a {1:SHORTANSWER:=b'))).toEqual([['skipped', 'syntax']])
  })

  test('lists calculated questions as skipped', async () => {
    const types = ['calculated', 'calculatedsimple', 'calculatedmulti']
    const questions = types.map((type) => `<question type="${type}"><name><text>${type}</text></name></question>`)
    const listed = await read(`<?xml version="1.0"?><quiz>${questions.join('')}</quiz>`)
    expect(listed.map(({ title, reasons }) => [title, reasons])).toEqual(
      types.map((type) => [type, ['calculated_unsupported']]),
    )
  })
})

describe('a change of scoring is reported', () => {
  const qti = (declaration: string, interaction: string, processing: string) =>
    `<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
    <responseDeclaration identifier="RESPONSE" ${declaration}</responseDeclaration><outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
    <itemBody><p>Q</p>${interaction}</itemBody>${processing}</assessmentItem>`
  const entry = '<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>'
  const mapResponse =
    '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>'
  const equal = (attributes: string) =>
    `<responseProcessing><responseCondition><responseIf><equal ${attributes}><variable identifier="RESPONSE"/><baseValue baseType="float">3.5</baseValue></equal><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`
  const number = (text: string) =>
    `cardinality="single" baseType="float"><correctResponse><value>${text}</value></correctResponse>`

  test.each([
    ['a relative tolerance', qti(number('3.5'), entry, equal('toleranceMode="relative" tolerance="10"')), 'number'],
    [
      'a tolerance with two sizes',
      qti(number('3.5'), entry, equal('toleranceMode="absolute" tolerance="1 2"')),
      'number',
    ],
    [
      'points that are no number',
      qti(
        'cardinality="single" baseType="string"><mapping><mapEntry mapKey="a" mappedValue="1"/><mapEntry mapKey="b" mappedValue="x"/></mapping>',
        entry,
        mapResponse,
      ),
      'shortText',
    ],
    [
      'points for other answers',
      qti(
        'cardinality="single" baseType="string"><mapping defaultValue="0.5"><mapEntry mapKey="a" mappedValue="1"/></mapping>',
        entry,
        mapResponse,
      ),
      'shortText',
    ],
    [
      'wrong options without a deduction',
      qti(
        'cardinality="multiple" baseType="identifier"><mapping><mapEntry mapKey="a" mappedValue="1"/></mapping>',
        '<choiceInteraction responseIdentifier="RESPONSE" maxChoices="0"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction>',
        mapResponse,
      ),
      'multiple',
    ],
  ])('for %s of QTI 2', async (_, content, type) => {
    expect(await outcomes(content)).toEqual([[type, 'scoring_changed']])
  })

  test('and nothing is reported about an absolute tolerance; an unreadable number is an error', async () => {
    const plain = qti(number('3.5'), entry, equal('toleranceMode="absolute" tolerance="0.5 0.5"'))
    expect(await outcomes(plain)).toEqual([['number', '']])
    expect(await keysOf(plain)).toEqual([['3.5±0.5']])
    expect(await outcomes(qti(number('three'), entry, ''))).toEqual([['skipped', 'number_unreadable']])
  })

  const qti12 = (kind: string, test: string, action = 'action="Set"') =>
    `<?xml version="1.0"?><questestinterop><item ident="i" title="t"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>${kind}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
    <presentation><material><mattext>Q</mattext></material><response_str ident="r" rcardinality="Single"><render_fib/></response_str></presentation>
    <resprocessing><outcomes><decvar varname="SCORE" maxvalue="100" minvalue="0"/></outcomes><respcondition><conditionvar>${test}</conditionvar><setvar varname="SCORE" ${action}>100</setvar></respcondition></resprocessing></item></questestinterop>`

  test('for parts of texts and other actions of QTI 1.2; unreadable numbers are errors', async () => {
    const equalTo = (text: string) => `<varequal respident="r">${text}</varequal>`
    expect(await outcomes(qti12('short_answer_question', equalTo('Kyiv')))).toEqual([['shortText', '']])
    const part = qti12('short_answer_question', '<varsubstring respident="r">Kyiv</varsubstring>')
    expect(await outcomes(part)).toEqual([['shortText', 'scoring_changed']])
    const multiplied = qti12('short_answer_question', equalTo('Kyiv'), 'action="Multiply"')
    expect(await outcomes(multiplied)).toEqual([['shortText', 'scoring_changed']])
    expect(await outcomes(qti12('numerical_question', equalTo('ten')))).toEqual([['skipped', 'number_unreadable']])
  })
})

test('a column that is not imported is named once', async () => {
  const path = join(scratch, 'columns')
  await writeFile(path, 'Question,Answer 1,Answer 2,Correct,Bloom level,Source\nA?,x,y,1,apply,\nB?,x,y,2,recall,\n')
  const { unknownColumns, questions } = await readQuestionFile({ path, scratch })
  expect(unknownColumns).toEqual(['Bloom level'])
  expect(questions.map(({ reasons }) => reasons)).toEqual([['column_unknown'], ['column_unknown']])
})
