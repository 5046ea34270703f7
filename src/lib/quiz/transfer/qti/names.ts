import { escapeXml } from '#lib/core/shared/text/escape.ts'

/** Names of QTI 2.2 and 3.0 for the same elements: `simpleChoice` is `qti-simple-choice` in QTI 3. */
export interface QtiNames {
  version: 'qti22' | 'qti30'
  /** An element with its content; null attributes are omitted. */
  element(name: string, attributes: Record<string, string | number | boolean | null>, content?: string): string
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const qtiNames = (version: 'qti22' | 'qti30'): QtiNames => ({
  version,
  element(name, attributes, content = '') {
    const isNew = version === 'qti30'
    const tag = isNew ? `qti-${kebabCase(name)}` : name
    const list = Object.entries(attributes)
      .filter(([, value]) => value !== null)
      .map(
        ([key, value]) => ` ${isNew && !key.includes(':') ? kebabCase(key) : key}="${escapeAttribute(String(value))}"`,
      )
    return content === '' ? `<${tag}${list.join('')}/>` : `<${tag}${list.join('')}>${content}</${tag}>`
  },
})

const escapeAttribute = (text: string): string => escapeXml(text).replace(/[\t\n\r]/g, ' ')

/** A valid XML identifier for an id; ids may start with a digit. */
export const identifierOf = (id: string): string => (/^[A-Za-z_]/.test(id) ? id : `_${id}`)
