import type { IOptions } from 'sanitize-html'

/** All that a lesson's page may hold, to the attribute: the belt behind the braces of render.ts. */
export const ALLOWED: IOptions = {
  allowedTags: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'input', 'div', 'span', 'blockquote', 'pre', 'code', 'hr', 'br'],
    ...['picture', 'source', 'img'],
    ...['table', 'tbody', 'tr', 'th', 'td', 'strong', 'em', 's', 'u', 'a'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'class', 'download', 'target'],
    img: ['src', 'alt', 'loading', 'decoding', 'width', 'height'],
    source: ['type', 'srcset', 'sizes'],
    ol: ['start'],
    ul: ['data-type'],
    li: ['data-checked'],
    input: ['type', 'checked', 'disabled', 'aria-labelledby'],
    p: ['class'],
    pre: ['tabindex'],
    code: ['class'],
    div: ['class', 'tabindex', 'id', 'role', 'data-tone', 'data-count', 'data-embed', 'data-slot'],
    span: ['class'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: {
    a: ['btn', 'btn-primary', 'lesson-file', 'lesson-embed-link'],
    code: [/^language-[\w+#.-]+$/],
    div: [
      'table-scroll',
      'lesson-gallery',
      'lesson-callout',
      'lesson-columns',
      'lesson-column',
      'lesson-embed',
      'lesson-slot',
    ],
    p: ['lesson-action'],
    span: ['lesson-file-name', 'lesson-file-note', 'lesson-slot-kind', 'sr-only'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  selfClosing: ['input', 'hr', 'br', 'source', 'img'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
}
