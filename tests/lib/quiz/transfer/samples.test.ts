import { describe, expect, test } from 'vitest'
import { readAiken } from '#lib/quiz/transfer/aiken.ts'
import { readGift } from '#lib/quiz/transfer/gift/read-gift.ts'
import { readMoodleQuestions } from '#lib/quiz/transfer/moodle/read-moodle.ts'
import { QuestionReader } from '#lib/quiz/transfer/question-reader.ts'
import { readSheet } from '#lib/quiz/transfer/sheet/read-sheet.ts'

function read(run: (reader: QuestionReader) => void) {
  const reader = new QuestionReader()
  run(reader)
  return reader.questions
}

describe('Aiken', () => {
  test('has single choices, and reports the lines that cannot be parsed', () => {
    const text =
      'Capital?\nA) Kyiv\nB. Lviv\nANSWER: A\n\nUnfinished\nA) one\nB) two\n\nNext one\nA) x\n\nB) y\nANSWER: B, A\n'
    const questions = read((reader) => readAiken(text, reader))
    expect(questions.map(({ line, verdict, draft, reasons }) => [line, verdict, draft?.content.type, reasons])).toEqual(
      [
        [1, 'imported', 'single', []],
        [6, 'skipped', undefined, ['no_answers']],
        [10, 'imported', 'multiple', []],
      ],
    )
  })
})

describe('GIFT', () => {
  test('reads tags and the category, and reports that a description is no question', () => {
    const text = '$CATEGORY: top/History\n\n// [id:7] [tag:Kyiv Rus]\n::Name::Year? {#988:2}\n\nOnly a text.\n'
    const [number, description] = read((reader) => readGift(text, reader))
    expect(number).toMatchObject({ line: 4, title: 'Name', draft: { tags: ['History', 'Kyiv Rus'] } })
    expect(number?.draft?.content).toMatchObject({
      type: 'number',
      accepted: [{ value: '988', tolerance: '2', fraction: 1 }],
    })
    expect(description).toMatchObject({ verdict: 'skipped', reasons: ['not_a_question'] })
  })

  test('turns TeX into formulas', () => {
    const [question] = read((reader) => readGift('[html]Is \\\\(x^2\\\\) even? {T}', reader))
    expect(JSON.stringify(question?.draft?.content.stem)).toContain('"latex":"x^2"')
  })
})

describe('Moodle XML', () => {
  const quiz = (questions: string) => Buffer.from(`<?xml version="1.0"?>\n<quiz>\n${questions}\n</quiz>`)
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  test('imports the images of a question', () => {
    const reader = new QuestionReader()
    const xml = `<question type="essay"><questiontext format="html"><text><![CDATA[<p>Look</p><img src="@@PLUGINFILE@@/a%20b.png" alt="x">]]></text><file name="a b.png" encoding="base64">${PIXEL}</file></questiontext></question>`
    readMoodleQuestions(quiz(xml), reader)
    const { files, questions } = reader.result('moodle')
    expect(files).toMatchObject([{ name: 'a b.png', picture: true }])
    expect(JSON.stringify(questions[0]?.draft?.content.stem)).toContain(files[0]?.id)
    expect(questions[0]?.verdict).toBe('imported')
  })

  test('reads the gaps of a Cloze text', () => {
    const text = '<p>Water {1:SHORTANSWER:=boils~%50%cooks} at {1:NUMERICAL:=100:0}</p>'
    const [question] = read((reader) =>
      readMoodleQuestions(
        quiz(
          `<question type="cloze"><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext></question>`,
        ),
        reader,
      ),
    )
    expect(question?.draft?.content).toMatchObject({
      type: 'gapMixed',
      points: 2,
      gaps: [
        {
          accepted: [
            { text: 'boils', fraction: 1 },
            { text: 'cooks', fraction: 0.5 },
          ],
        },
        { kind: 'number', accepted: [{ value: '100' }] },
      ],
    })
  })

  test('keeps the kind, weight, key and feedback of every gap of a Cloze text', () => {
    const text =
      'a {1:MULTICHOICE_H:Rome#far~=Kyiv#yes} b {1:MRHS:=x~=y#why~%-50%z} c {3:NUMERICAL:%100%1701:0#exact~%33%1701:50} d {1:SAC:=H<sub>2</sub>O~=H2O}'
    const [question] = read((reader) =>
      readMoodleQuestions(
        quiz(
          `<question type="cloze"><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext></question>`,
        ),
        reader,
      ),
    )
    expect(question?.reasons).toEqual(['formatting_lost', 'scoring_changed'])
    expect(question?.draft?.content).toMatchObject({
      type: 'gapMixed',
      points: 6,
      gaps: [
        { kind: 'menu', weight: 1, options: [{ text: 'Rome', fraction: 0, explanation: {} }, { fraction: 1 }] },
        {
          kind: 'several',
          options: [{ fraction: 1 }, { fraction: 1, explanation: {} }, { text: 'z', fraction: -0.5 }],
        },
        { kind: 'number', weight: 3, accepted: [{ tolerance: '0' }, { tolerance: '50', fraction: 0.33 }] },
        { kind: 'text', caseSensitive: true, accepted: [{ text: 'H2O' }, { text: 'H2O' }] },
      ],
    })
  })

  test('lists what it does not import', () => {
    const xml =
      '<question type="calculated"><name><text>c</text></name></question><question type="description"><name><text>d</text></name></question>'
    expect(
      read((reader) => readMoodleQuestions(quiz(xml), reader)).map(({ line, reasons }) => [line, reasons]),
    ).toEqual([
      [3, ['calculated_unsupported']],
      [3, ['not_a_question']],
    ])
  })
})

describe('a table', () => {
  test('of a teacher without types and shares is parsed', () => {
    const rows = [
      ['Запитання', 'Варіант 1', 'Варіант 2', 'Варіант 3', 'Правильна відповідь'],
      ['Столиця?', 'Львів', 'Київ', '', '2'],
      ['Непарні?', '1', '2', '3', '1, 3'],
      ['Есе', '', '', '', ''],
    ]
    const types = read((reader) => readSheet(rows, reader)).map(({ draft, reasons }) => [draft?.content.type, reasons])
    expect(types).toEqual([
      ['single', []],
      ['multiple', []],
      ['essay', []],
    ])
  })
})
