import { compile } from 'html-to-text'

/** Elements in which mail programs quote an email that have no marks of their own. */
const QUOTE_ELEMENTS = ['div.yahoo_quoted', 'div.moz-forward-container']

const QUOTE_OPTIONS = { leadingLineBreaks: 2, trailingLineBreaks: 2, trimEmptyLines: true }

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: 2_000_000, maxDepth: 60, maxChildNodes: 20_000, maxBaseElements: 10 },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'hr', options: { length: 32 } },
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block' },
    { selector: 'title', format: 'skip' },
    ...QUOTE_ELEMENTS.map((selector) => ({ selector, format: 'blockquote', options: QUOTE_OPTIONS })),
  ],
})

/** The text of an HTML email with quotes marked by `>`, linear in its length. */
export const textOfHtml = (html: string): string => toText(html).replaceAll('\u00a0', ' ')
