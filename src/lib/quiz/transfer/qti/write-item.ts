import { escapeXml } from '#lib/core/shared/text/escape.ts'
import { renderFormula } from '#lib/course/lesson/formula.ts'
import { plainTextOf, type QuestionDoc } from '../../question/rich-text-schema.ts'
import type { QuestionDraft } from '../../question/schema.ts'
import type { NoteChange } from '../question-reader.ts'
import { type TextTarget, texFormula, writeHtml, writeInlineHtml } from '../text/write-text.ts'
import { EXPLANATION } from './item.ts'
import type { FindPackaged, ItemWriter } from './item-writer.ts'
import { type QtiNames, qtiNames } from './names.ts'
import { writeInteraction } from './write-interaction.ts'

const SCHEMAS = {
  qti22: {
    namespace: 'http://www.imsglobal.org/xsd/imsqti_v2p2',
    location: 'http://www.imsglobal.org/xsd/imsqti_v2p2 http://www.imsglobal.org/xsd/qti/qtiv2p2/imsqti_v2p2.xsd',
  },
  qti30: {
    namespace: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
    location:
      'http://www.imsglobal.org/xsd/imsqtiasi_v3p0 https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd',
  },
}
const MAX_TITLE = 100

/**
 * An item of QTI 2.2 or 3.0. Formulas are MathML with their TeX; feedback is modal. Throws SkippedQuestion for content
 * that the standard does not support.
 */
export function writeQtiItem(
  { content, locale }: QuestionDraft,
  identifier: string,
  version: QtiNames['version'],
  { find, note }: { find: FindPackaged; note: NoteChange },
): string {
  if (content.penalty !== 0) note('settings_lost')
  const qti = qtiNames(version)
  const target: TextTarget = { address: (fileId) => find(fileId)?.path ?? null, formula: mathFormula, note }
  const writer: ItemWriter = {
    qti,
    note,
    find,
    html: (doc, gap) => writeHtml(doc, gap ? { ...target, gap } : target),
    inline: (doc) => writeInlineHtml(doc, target),
  }
  const { responses, body, processing, feedback } = writeInteraction(content, writer)
  const shown = content.explanation ? [...feedback, { id: EXPLANATION, text: content.explanation }] : feedback
  const { namespace, location } = SCHEMAS[version]
  const attributes = {
    xmlns: namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': location,
    identifier,
    title: plainTextOf(content.stem).slice(0, MAX_TITLE).toWellFormed() || content.type,
    adaptive: false,
    timeDependent: false,
    'xml:lang': locale,
  }
  const explain = content.explanation
    ? setOutcome(qti, 'EXPLANATION', qti.element('baseValue', { baseType: 'identifier' }, EXPLANATION))
    : ''
  const parts = [
    ...responses,
    outcome(qti, 'SCORE', 'float', '0', content.points),
    outcome(qti, 'MAXSCORE', 'float', String(content.points)),
    ...(feedback.length > 0
      ? [qti.element('outcomeDeclaration', { identifier: 'FEEDBACK', cardinality: 'multiple', baseType: 'identifier' })]
      : []),
    ...(content.explanation
      ? [
          qti.element('outcomeDeclaration', {
            identifier: 'EXPLANATION',
            cardinality: 'single',
            baseType: 'identifier',
          }),
        ]
      : []),
    qti.element('itemBody', {}, body),
    ...(processing + explain ? [qti.element('responseProcessing', {}, processing + explain)] : []),
    ...shown.map(({ id, text }) => modalFeedback(writer, id, text)),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${qti.element('assessmentItem', attributes, `\n${parts.join('\n')}\n`)}\n`
}

function outcome(
  qti: QtiNames,
  identifier: string,
  baseType: string,
  value: string,
  maximum: number | null = null,
): string {
  const start = qti.element('defaultValue', {}, qti.element('value', {}, value))
  return qti.element(
    'outcomeDeclaration',
    { identifier, cardinality: 'single', baseType, normalMaximum: maximum },
    start,
  )
}

const setOutcome = (qti: QtiNames, identifier: string, value: string): string =>
  qti.element('setOutcomeValue', { identifier }, value)

function modalFeedback({ qti, html }: ItemWriter, identifier: string, text: QuestionDoc): string {
  const outcomeIdentifier = identifier === EXPLANATION ? 'EXPLANATION' : 'FEEDBACK'
  const content = html(text)
  const inner = qti.version === 'qti30' ? qti.element('contentBody', {}, content) : content
  return qti.element('modalFeedback', { outcomeIdentifier, identifier, showHide: 'show' }, inner)
}

/** MathML; TeX that cannot be rendered remains TeX. */
function mathFormula(latex: string, display: boolean): string {
  const math = renderFormula(latex, { isBlock: display })
  if (!math.startsWith('<math')) return texFormula(latex, display)
  const annotated = math.includes('<annotation') ? math : annotate(math, latex)
  const opening = /^<math[^>]{0,500}>/.exec(annotated)?.[0] ?? '<math>'
  const attributes = `xmlns="http://www.w3.org/1998/Math/MathML"${display ? ' display="block"' : ''}`
  return `<math ${attributes}>${annotated.slice(opening.length)}`
}

const annotate = (math: string, latex: string): string => {
  const inner = math.slice(math.indexOf('>') + 1, math.lastIndexOf('</math>'))
  const annotation = `<annotation encoding="application/x-tex">${escapeXml(latex)}</annotation>`
  return `<math><semantics><mrow>${inner}</mrow>${annotation}</semantics></math>`
}
