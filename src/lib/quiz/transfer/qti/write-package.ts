import { portableFileName } from '#lib/core/files/portable-name.ts'
import { escapeXmlText } from '#lib/core/shared/text/escape.ts'
import type { ExportedQuestion } from '../../bank/transfer.ts'
import type { QuestionDraft } from '../../question/schema.ts'
import type { NoteChange } from '../question-reader.ts'
import { writeQtiItem } from './write-item.ts'

export interface PackagedMedia {
  name: string
  mime: string
  bytes: Uint8Array
  width: number | null
  height: number | null
}
type Media = ReadonlyMap<string, PackagedMedia>
type Version = 'qti22' | 'qti30'

const ITEM_TYPES = { qti22: 'imsqti_item_xmlv2p2', qti30: 'imsqti_item_xmlv3p0' }
const MANIFESTS = {
  qti22: { namespace: 'http://www.imsglobal.org/xsd/imscp_v1p1', schema: 'QTIv2.2 Package', version: '1.0.0' },
  qti30: { namespace: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1', schema: 'QTI Package', version: '3.0.0' },
}
const LOM = 'http://ltsc.ieee.org/xsd/LOM'
const DIFFICULTIES = ['easy', 'medium', 'difficult']

const itemPath = (questionId: string): string => `items/${questionId}.xml`
const mediaPath = (fileId: string, name: string): string =>
  `media/${fileId.slice(-12)}-${portableFileName(name).replace(/[^A-Za-z0-9._-]+/g, '_')}`

/** The files of a package of QTI 2.2 or 3.0. */
export const packageFiles = {
  /** One item; its images are in the folder `media` of the package. */
  item(draft: QuestionDraft, questionId: string, version: Version, media: Media, note: NoteChange): string {
    const find = (fileId: string) => {
      const file = media.get(fileId)
      return file ? { path: `../${mediaPath(fileId, file.name)}`, width: file.width, height: file.height } : null
    }
    return writeQtiItem(draft, `item-${questionId}`, version, { find, note })
  },

  /** The manifest with tags and difficulties as metadata, the items, and their files. */
  *entries(items: readonly { question: ExportedQuestion; xml: string }[], version: Version, media: Media) {
    const lastModified = new Date()
    const shown = [...media].filter(([fileId, { name }]) =>
      items.some(({ xml }) => xml.includes(mediaPath(fileId, name))),
    )
    const manifest = writeManifest(
      items,
      version,
      shown.map(([fileId, { name }]) => mediaPath(fileId, name)),
    )
    yield { name: 'imsmanifest.xml', input: manifest, lastModified }
    for (const { question, xml } of items) yield { name: itemPath(question.questionId), input: xml, lastModified }
    for (const [fileId, { name, bytes }] of shown)
      yield { name: mediaPath(fileId, name), input: Buffer.from(bytes), lastModified }
  },
}

function writeManifest(
  items: readonly { question: ExportedQuestion; xml: string }[],
  version: Version,
  files: readonly string[],
): string {
  const { namespace, schema, version: schemaVersion } = MANIFESTS[version]
  const resources = items.map(({ question, xml }) => {
    const path = itemPath(question.questionId)
    const used = files.filter((file) => xml.includes(file))
    const list = [path, ...used].map((href) => `<file href="${href}"/>`).join('')
    return `<resource identifier="res-${question.questionId}" type="${ITEM_TYPES[version]}" href="${path}">${writeLabels(question.draft)}${list}</resource>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns="${namespace}" identifier="manifest"><metadata><schema>${schema}</schema><schemaversion>${schemaVersion}</schemaversion></metadata><organizations/><resources>
${resources.join('\n')}
</resources></manifest>
`
}

/** Keywords and the difficulty (IEEE LOM). */
function writeLabels({ tags, difficulty, locale }: QuestionDraft): string {
  const keywords = tags
    .map((tag) => `<keyword><string language="${locale}">${escapeXmlText(tag)}</string></keyword>`)
    .join('')
  const level = `<difficulty><source>LOMv1.0</source><value>${DIFFICULTIES[difficulty - 1] ?? 'medium'}</value></difficulty>`
  return `<metadata><lom xmlns="${LOM}"><general>${keywords}</general><educational>${level}</educational></lom></metadata>`
}
