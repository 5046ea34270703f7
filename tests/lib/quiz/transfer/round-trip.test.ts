import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv, writeCsv } from '#lib/core/csv/csv.ts'
import { readXlsx } from '#lib/core/csv/read-xlsx.ts'
import { writeXlsx } from '#lib/core/csv/xlsx.ts'
import type { ChangeReason } from '#lib/core/shared/quiz.ts'
import type { QuestionContent, QuestionDraft } from '#lib/quiz/question/schema.ts'
import { readGift } from '#lib/quiz/transfer/gift/read-gift.ts'
import { writeGift } from '#lib/quiz/transfer/gift/write-gift.ts'
import { readMoodleQuestions } from '#lib/quiz/transfer/moodle/read-moodle.ts'
import { MOODLE_END, MOODLE_START, writeMoodleQuestion } from '#lib/quiz/transfer/moodle/write-moodle.ts'
import { normalizeQti } from '#lib/quiz/transfer/qti/normalize.ts'
import { readQtiItem } from '#lib/quiz/transfer/qti/read-item.ts'
import { writeQtiItem } from '#lib/quiz/transfer/qti/write-item.ts'
import { type NoteChange, QuestionReader, SkippedQuestion } from '#lib/quiz/transfer/question-reader.ts'
import { MAX_ANSWERS } from '#lib/quiz/transfer/sheet/columns.ts'
import { delimiterOf, readSheet } from '#lib/quiz/transfer/sheet/read-sheet.ts'
import { sheetHeading, writeSheetRow } from '#lib/quiz/transfer/sheet/write-sheet.ts'
import { readXml } from '#lib/quiz/transfer/xml.ts'
import { hotspotDraft, questionDraft } from './arbitrary-questions.ts'

interface Format {
  write(draft: QuestionDraft, note: NoteChange): string
  read(text: string, reader: QuestionReader): void
  /** Types that the format does not support. */
  without: readonly QuestionContent['type'][]
  /** Fields of a question that the format does not contain: they have their defaults. */
  ignores: readonly ('difficulty' | 'tags' | 'locale')[]
}

const qti = (version: 'qti22' | 'qti30'): Format => ({
  write: (draft, note) => writeQtiItem(draft, 'item-1', version, { find: () => null, note }),
  read: (text, reader) =>
    reader.add({ line: 1, title: '' }, (note) =>
      readQtiItem(normalizeQti(readXml(Buffer.from(text), '')), reader, note, () => null),
    ),
  without: ['gapMixed'],
  // They are in the manifest of a package.
  ignores: ['difficulty', 'tags'],
})

const FORMATS: Record<string, Format> = {
  GIFT: {
    write: (draft, note) => writeGift(draft, () => null, note),
    read: readGift,
    without: ['ordering', 'fileUpload', 'gapText', 'gapSelect', 'gapMixed', 'scale'],
    ignores: ['locale'],
  },
  'Moodle XML': {
    write: (draft, note) => `${MOODLE_START}${writeMoodleQuestion(draft, () => null, note)}${MOODLE_END}`,
    read: (text, reader) => readMoodleQuestions(Buffer.from(text), reader),
    without: ['scale'],
    ignores: ['locale'],
  },
  'QTI 2.2': qti('qti22'),
  'QTI 3.0': qti('qti30'),
  CSV: {
    write: (draft, note) => writeCsv(sheetHeading(MAX_ANSWERS), [writeSheetRow(draft, note)]),
    read: (text, reader) => readSheet(readCsv(text, { delimiter: delimiterOf(text) }), reader),
    without: [],
    ignores: [],
  },
}

const ASTERISK_IN_GAP: QuestionDraft = {
  tags: [],
  difficulty: 2,
  locale: 'uk',
  content: {
    type: 'gapText',
    stem: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Добуток: [[g1]]' }] }] },
    explanation: null,
    points: 1,
    penalty: 0,
    partialCredit: true,
    gaps: [{ id: 'g1', accepted: [{ id: 't1', text: 'a * b', fraction: 1, explanation: null }] }],
    caseSensitive: false,
    trim: true,
    wildcards: false,
  },
}

describe.each(Object.entries(FORMATS))('%s', (_, format) => {
  test('returns every question unchanged, or reports the changes', () => {
    fc.assert(
      fc.property(questionDraft, (draft) => {
        const notes = new Set<ChangeReason>()
        let text: string
        try {
          text = format.write(draft, (reason) => notes.add(reason))
        } catch (error) {
          if (!(error instanceof SkippedQuestion)) throw error
          expect([...format.without, ...arrowTypes(draft)]).toContain(draft.content.type)
          return
        }
        const reader = new QuestionReader()
        format.read(text, reader)
        expect(reader.questions).toHaveLength(1)
        const [question] = reader.questions
        expect(question?.draft, `${question?.reasons.join(' ')}\n${text}`).not.toBeNull()
        if (notes.size > 0 || !question?.draft) return
        expect(question.reasons, text).toEqual([])
        const ignored = Object.fromEntries(format.ignores.map((name) => [name, question.draft?.[name]]))
        expect(comparable(question.draft), text).toEqual(comparable({ ...draft, ...ignored }))
      }),
      { numRuns: 400, examples: [[ASTERISK_IN_GAP]] },
    )
  })
})

test('XLSX returns every question unchanged, or reports the changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(questionDraft, { minLength: 20, maxLength: 40 }), async (drafts) => {
      const notes = drafts.map(() => new Set<ChangeReason>())
      const rows = drafts.map((draft, index) => writeSheetRow(draft, (reason) => notes[index]?.add(reason)))
      async function* sheet() {
        yield sheetHeading(MAX_ANSWERS)
        yield* rows
      }
      const reader = new QuestionReader()
      readSheet(await readXlsx(await buffer(writeXlsx(sheet())), 1000), reader)
      expect(reader.questions).toHaveLength(drafts.length)
      for (const [index, { draft, reasons }] of reader.questions.entries()) {
        expect(draft).not.toBeNull()
        if (!draft || notes[index]?.size !== 0) continue
        expect(reasons).toEqual([])
        expect(comparable(draft)).toEqual(comparable(drafts[index] ?? draft))
      }
    }),
    { numRuns: 10 },
  )
})

const IMAGE_ID = '01890000-0000-7000-8000-000000000001'

test.each(['qti22', 'qti30'] as const)('%s returns the regions of an image unchanged', (version) => {
  fc.assert(
    fc.property(hotspotDraft(IMAGE_ID), (draft) => {
      const notes = new Set<ChangeReason>()
      const find = () => ({ path: 'images/map.png', width: 1000, height: 800 })
      const text = writeQtiItem(draft, 'item-1', version, { find, note: (reason) => notes.add(reason) })
      const reader = new QuestionReader({ addFile: () => IMAGE_ID })
      const image = { key: 'images/map.png', name: 'map.png', bytes: new Uint8Array([1]) }
      reader.add({ line: 1, title: '' }, (note) =>
        readQtiItem(normalizeQti(readXml(Buffer.from(text), '')), reader, note, () => image),
      )
      const [question] = reader.questions
      expect(question?.draft, `${question?.reasons.join(' ')}\n${text}`).not.toBeNull()
      if (notes.size > 0 || !question?.draft) return
      expect(question.reasons, text).toEqual([])
      expect(comparable(question.draft).content, text).toEqual(comparable(draft).content)
    }),
    { numRuns: 200 },
  )
})

/** GIFT parses an arrow in an accepted text as a pair. */
const arrowTypes = ({ content }: QuestionDraft): string[] =>
  content.type === 'shortText' && content.accepted.some(({ text }) => text.includes('->')) ? ['shortText'] : []

/** Gaps of one kind with equal weights are the same question in the types of their own. */
function asMixedGaps(content: QuestionContent): QuestionContent {
  if (content.type === 'gapText') {
    const { caseSensitive, trim, wildcards, lenient, gaps, ...common } = content
    const comparison = { caseSensitive, trim, wildcards, ...(lenient === undefined ? {} : { lenient }) }
    return {
      ...common,
      type: 'gapMixed',
      gaps: gaps.map((gap) => ({ ...gap, kind: 'text' as const, weight: 1, ...comparison })),
    }
  }
  if (content.type === 'gapSelect') {
    const options = (gap: (typeof content.gaps)[number]) =>
      gap.options.map((entry) => ({ ...entry, explanation: null }))
    const gaps = content.gaps.map((gap) => ({ id: gap.id, kind: 'menu' as const, weight: 1, options: options(gap) }))
    return { ...content, type: 'gapMixed', gaps }
  }
  if (content.type !== 'gapMixed') return content
  const whole = content.gaps.reduce((sum, { weight }) => sum + weight, 0)
  const gaps = content.gaps.map((gap) => ({ ...gap, weight: (gap.weight / whole) * content.gaps.length }))
  return { ...content, gaps }
}

/** Ids are new in most formats: parts are compared by their positions. Shares have twelve digits. */
function comparable({ content: original, ...labels }: QuestionDraft) {
  const content = asMixedGaps(original)
  const ids = new Map<string, string>()
  const rename = (id: string) => {
    const known = ids.get(id) ?? `id${ids.size + 1}`
    ids.set(id, known)
    return known
  }
  const walk = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((entry) => walk(entry))
    if (typeof value === 'number') return Number(value.toPrecision(9))
    if (typeof value === 'string' && (key === 'id' || key === 'choiceId')) return rename(value)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]))
  }
  const parts =
    content.type === 'matching'
      ? {
          ...content,
          choices: content.choices.toSorted((a, b) =>
            JSON.stringify(a.content).localeCompare(JSON.stringify(b.content)),
          ),
        }
      : content
  const { stem, ...more } = parts
  const others = walk(more)
  const markers = JSON.stringify(stem).replace(/\[\[([A-Za-z0-9_-]{1,40})\]\]/g, (_, id: string) => `[[${rename(id)}]]`)
  return { ...labels, content: others, stem: JSON.parse(markers) }
}
