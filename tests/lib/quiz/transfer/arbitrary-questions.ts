import fc from 'fast-check'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionDoc } from '#lib/quiz/question/rich-text-schema.ts'
import { QuestionDraft } from '#lib/quiz/question/schema.ts'

/* Questions of every type, with all characters that have a meaning in the formats. */

const SPECIAL = [
  '=',
  '~',
  '#',
  '{',
  '}',
  '\\',
  ':',
  '->',
  '%',
  '//',
  '[x]',
  '<b>',
  '&amp;',
  '&',
  '"',
  "'",
  '$',
  '$$',
  '\\(',
  '*',
  ';',
  ',',
  '|',
  ']]>',
  '::',
  '####',
]
const WORDS = ['Київ', 'їжак', 'ґанок', 'word', '5', 'x²', 'під’їзд', '—', 'ANSWER', 'true']

const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...SPECIAL) },
)
/** A line with single spaces that begins and ends with a word. */
const line = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((parts) => `а${parts.join(' ')}я`)
const word = fc.constantFrom(...WORDS, 'so-called', 'a/b')

const mark = fc.subarray([{ type: 'bold' }, { type: 'italic' }, { type: 'underline' }, { type: 'strike' }], {
  maxLength: 2,
})
const text = fc
  .record({ text: line, marks: mark })
  .map(({ text: value, marks }): LessonNode => ({ type: 'text', text: value, ...(marks.length > 0 ? { marks } : {}) }))
const latex = fc.constantFrom('x^2', '\\frac{1}{2}', 'a < b', '\\alpha \\& \\beta', '{a}_{b}', '\\sqrt{x}  y')
const inlineMath = latex.map((value): LessonNode => ({ type: 'inlineMath', attrs: { latex: value } }))
/** Adjacent texts with the same marks are one node. */
const inline = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: text },
      { weight: 1, arbitrary: inlineMath },
      { weight: 1, arbitrary: fc.constant<LessonNode>({ type: 'hardBreak' }) },
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((nodes) => [
    { type: 'text', text: 'Початок' } as LessonNode,
    ...nodes.filter((node, index) => node.type !== 'text' || nodes[index - 1]?.type !== 'text'),
  ])
  .map(([start, first, ...rest]) =>
    (first?.type === 'text' ? [first, ...rest] : [start, first, ...rest]).filter((node) => node !== undefined),
  )
const paragraph = inline.map((content): LessonNode => ({ type: 'paragraph', content }))
const plainParagraph = line.map(
  (value): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text: value }] }),
)
const block = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  {
    weight: 1,
    arbitrary: fc
      .record({ level: fc.integer({ min: 2, max: 4 }), content: inline })
      .map(({ level, content }): LessonNode => ({ type: 'heading', attrs: { level }, content })),
  },
  {
    weight: 1,
    arbitrary: fc.array(paragraph, { minLength: 1, maxLength: 3 }).map(
      (items): LessonNode => ({
        type: 'bulletList',
        content: items.map((item) => ({ type: 'listItem', content: [item] })),
      }),
    ),
  },
  { weight: 1, arbitrary: latex.map((value): LessonNode => ({ type: 'blockMath', attrs: { latex: value } })) },
  {
    weight: 1,
    arbitrary: line.map(
      (value): LessonNode => ({
        type: 'codeBlock',
        attrs: { language: null },
        content: [{ type: 'text', text: `  ${value}\n  b` }],
      }),
    ),
  },
  { weight: 1, arbitrary: paragraph.map((item): LessonNode => ({ type: 'blockquote', content: [item] })) },
  {
    weight: 1,
    arbitrary: fc.tuple(paragraph, paragraph).map(
      ([head, cell]): LessonNode => ({
        type: 'table',
        content: [
          { type: 'tableRow', content: [{ type: 'tableHeader', content: [head] }] },
          { type: 'tableRow', content: [{ type: 'tableCell', content: [cell] }] },
        ],
      }),
    ),
  },
)
const richText: fc.Arbitrary<QuestionDoc> = fc
  .oneof(
    { weight: 2, arbitrary: plainParagraph.map((node) => [node]) },
    { weight: 1, arbitrary: fc.array(block, { minLength: 1, maxLength: 3 }) },
  )
  .map((content) => ({ type: 'doc', content }))
const optionText = fc
  .oneof({ weight: 2, arbitrary: plainParagraph }, { weight: 1, arbitrary: paragraph })
  .map((node): QuestionDoc => ({ type: 'doc', content: [node] }))
const plainText = plainParagraph.map((node): QuestionDoc => ({ type: 'doc', content: [node] }))
const maybe = fc.option(optionText, { nil: null, freq: 2 })

const fraction = fc.constantFrom(0, 0.25, 1 / 3, 0.5, -0.5, 1)
const explained = { explanation: maybe }
const wrong = fc.array(fc.record({ content: optionText, fraction: fc.constantFrom(0, 0, -0.25, 0.5), ...explained }), {
  minLength: 1,
  maxLength: 3,
})
const withIds = <T extends object>(list: readonly T[], letter: string) =>
  list.map((entry, index) => ({ id: `${letter}${index + 1}`, ...entry }))

const single = fc
  .record({ right: fc.record({ content: optionText, ...explained }), wrong, shuffle: fc.boolean() })
  .map(({ right, wrong: others, shuffle }) => ({
    type: 'single' as const,
    options: withIds([...others, { fraction: 1, ...right }], 'o'),
    shuffle,
  }))
const multiple = fc
  .record({
    options: fc.array(fc.record({ content: optionText, fraction, ...explained }), { minLength: 2, maxLength: 5 }),
    shuffle: fc.boolean(),
    partialCredit: fc.boolean(),
  })
  .filter(({ options }) => options.some((option) => option.fraction > 0))
  .map(({ options, ...more }) => ({ type: 'multiple' as const, options: withIds(options, 'o'), ...more }))
const trueFalse = fc.record({
  type: fc.constant('trueFalse' as const),
  correct: fc.boolean(),
  trueExplanation: maybe,
  falseExplanation: maybe,
})
const accepted = fc
  .uniqueArray(line, { minLength: 1, maxLength: 3 })
  .chain((texts) =>
    fc.tuple(
      ...texts.map((value, index) =>
        fc.record({ text: fc.constant(value), fraction: index === 0 ? fc.constant(1) : fraction, ...explained }),
      ),
    ),
  )
  .map((list) => withIds(list, 't'))
const shortText = fc.record({ type: fc.constant('shortText' as const), accepted, caseSensitive: fc.boolean() })
const decimal = fc.constantFrom('0', '5', '-12.5', '0.001', '1000000', '3.14159')
const size = fc.constantFrom('0', '0.5', '2', '0.0005')
const acceptedNumber = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), value: decimal, tolerance: size }),
  fc.constant({ kind: 'range' as const, min: '1.5', max: '2' }),
)
const number = fc.array(fc.tuple(acceptedNumber, maybe, fraction), { minLength: 1, maxLength: 3 }).map((list) => ({
  type: 'number' as const,
  accepted: list.map(([entry, explanation, share], index) => ({
    ...entry,
    id: `n${index + 1}`,
    fraction: index === 0 ? 1 : share,
    explanation,
  })),
}))
const words = (min: number) => fc.option(fc.integer({ min, max: min + 400 }), { nil: null })
const essay = fc.record({
  type: fc.constant('essay' as const),
  minWords: words(1),
  maxWords: words(500),
  sampleAnswer: fc.option(optionText, { nil: null }),
})
const fileUpload = fc.record({
  type: fc.constant('fileUpload' as const),
  acceptTypes: fc.subarray(['image', 'video', '.psd']),
  maxFiles: fc.integer({ min: 1, max: 10 }),
  maxBytes: fc.constantFrom(2048, 100 * 1024 ** 2),
})
const matching = fc
  .record({
    prompts: fc.array(optionText, { minLength: 1, maxLength: 3 }),
    choices: fc.uniqueArray(plainText, { minLength: 2, maxLength: 4, selector: (doc) => JSON.stringify(doc) }),
  })
  .map(({ prompts, choices }) => ({
    type: 'matching' as const,
    prompts: prompts.map((content, index) => ({
      id: `p${index + 1}`,
      content,
      choiceId: `c${(index % choices.length) + 1}`,
    })),
    choices: withIds(
      choices.map((content) => ({ content })),
      'c',
    ),
  }))
const ordering = fc
  .record({ items: fc.array(optionText, { minLength: 2, maxLength: 4 }), partialCredit: fc.boolean() })
  .map(({ items, partialCredit }) => ({
    type: 'ordering' as const,
    items: withIds(
      items.map((content) => ({ content })),
      'i',
    ),
    partialCredit,
  }))

const gapStem = (count: number): QuestionDoc => ({
  type: 'doc',
  content: Array.from({ length: count }, (_, index) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: `Столиця [[g${index + 1}]] тут: {5} #` }],
  })),
})
const gapText = fc.array(accepted, { minLength: 1, maxLength: 3 }).map((gaps) => ({
  type: 'gapText' as const,
  stem: gapStem(gaps.length),
  gaps: gaps.map((list, index) => ({
    id: `g${index + 1}`,
    accepted: list.map((entry) => ({ ...entry, fraction: Math.abs(entry.fraction) || 1, explanation: null })),
  })),
}))
const select = fc
  .uniqueArray(line, { minLength: 2, maxLength: 4 })
  .map((texts) => texts.map((value, index) => ({ id: `o${index + 1}`, text: value, fraction: index === 1 ? 1 : 0 })))
const gapSelect = fc.array(select, { minLength: 1, maxLength: 3 }).map((gaps) => ({
  type: 'gapSelect' as const,
  stem: gapStem(gaps.length),
  gaps: gaps.map((options, index) => ({ id: `g${index + 1}`, options })),
}))
const comparison = fc.record({ caseSensitive: fc.boolean(), trim: fc.constant(true), wildcards: fc.constant(false) })
const mixedGap = fc
  .tuple(
    fc.oneof(
      fc.tuple(accepted, comparison).map(([list, more]) => ({
        kind: 'text' as const,
        ...more,
        accepted: list.map((entry) => ({ ...entry, fraction: Math.abs(entry.fraction) || 1 })),
      })),
      number.map(({ accepted: list }) => ({ kind: 'number' as const, accepted: list })),
      fc.tuple(fc.constantFrom('menu' as const, 'several' as const), select).map(([kind, options]) => ({
        kind,
        options: options.map((option) => ({ ...option, explanation: null })),
      })),
    ),
    fc.constantFrom(1, 1, 2, 0.5),
  )
  .map(([gap, weight]) => ({ ...gap, weight }))
const gapMixed = fc.array(mixedGap, { minLength: 1, maxLength: 4 }).map((gaps) => ({
  type: 'gapMixed' as const,
  stem: gapStem(gaps.length),
  points: gaps.reduce((sum, { weight }) => sum + weight, 0),
  gaps: gaps.map((gap, index) => ({ ...gap, id: `g${index + 1}` })),
}))
const scale = fc
  .record({
    correct: fc.option(fc.constant({ min: 2, max: 4 }), { nil: null }),
    minLabel: fc.constantFrom('', 'погано; = 1'),
    step: fc.constantFrom(1, 2),
  })
  .map((more) => ({ type: 'scale' as const, min: 0, max: 6, maxLabel: '', ...more }))

const content = fc
  .record({
    stem: richText,
    explanation: maybe,
    points: fc.constantFrom(1, 2, 0.5, 10),
    body: fc.oneof(
      single,
      multiple,
      trueFalse,
      shortText,
      number,
      essay,
      fileUpload,
      matching,
      ordering,
      gapText,
      gapSelect,
      gapMixed,
      scale,
    ),
  })
  .map(({ body, ...common }) => ({ ...common, ...body }))

// A hundredth is a whole number of pixels of an image of 1000 × 800.
const hundredth = (max: number) => fc.integer({ min: 1, max }).map((value) => value / 100)
const shape = fc.oneof(
  fc
    .record({ x: hundredth(50), y: hundredth(50), width: hundredth(50), height: hundredth(50) })
    .map((place) => ({ kind: 'rectangle' as const, ...place })),
  fc
    .record({ x: hundredth(99), y: hundredth(99), radiusX: hundredth(50), radiusY: hundredth(50) })
    .map((place) => ({ kind: 'ellipse' as const, ...place })),
  fc
    .array(fc.tuple(hundredth(99), hundredth(99)), { minLength: 3, maxLength: 6 })
    .map((points) => ({ kind: 'polygon' as const, points })),
)

/** A question about regions of the image with this id, which is 1000 × 800 pixels large. */
export const hotspotDraft = (imageFileId: string): fc.Arbitrary<QuestionDraft> =>
  fc
    .record({
      stem: richText,
      points: fc.constantFrom(1, 2, 0.5, 10),
      imageAlt: word,
      regions: fc.array(fc.record({ label: word, shape, correct: fc.boolean() }), { minLength: 1, maxLength: 5 }),
    })
    .map(({ regions, ...common }) =>
      QuestionDraft.parse({
        content: {
          type: 'hotspot',
          imageFileId,
          ...common,
          regions: regions.map((region, index) => ({
            ...region,
            id: `r${index + 1}`,
            correct: index === 0 || region.correct,
          })),
        },
      }),
    )

/** A complete question of any type but `hotspot`, which needs a picture. */
export const questionDraft: fc.Arbitrary<QuestionDraft> = fc
  .record({
    content,
    tags: fc.uniqueArray(word, { maxLength: 3 }),
    difficulty: fc.constantFrom(1, 2, 2, 3),
    locale: fc.constantFrom('uk' as const, 'en' as const),
  })
  .map((draft) => QuestionDraft.parse(draft))
