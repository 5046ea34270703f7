/** Escapes text between the tags of HTML, XML or WebVTT. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes a value for HTML text and for attributes in double quotes; null and undefined are empty. */
export const escapeHtml = (value: unknown): string => escapeText(String(value ?? '')).replaceAll('"', '&quot;')

/** Removes the characters that XML 1.0 does not allow, which escapes cannot express. */
const removeForbidden = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')

/** Escapes text between the tags of an XML file. */
export const escapeXmlText = (text: string): string => escapeText(removeForbidden(text))

/** Escapes text of an XML file, also for attributes in double quotes. */
export const escapeXml = (text: string): string => escapeXmlText(text).replaceAll('"', '&quot;')
