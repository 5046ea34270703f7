import { Fragment } from 'react'
import { type MarkdownBlock, type MarkdownInline, parseMarkdown } from '#lib/chat/message/markdown-rules.ts'

/** The text of a message. The parser yields a tree without HTML, so that nothing can be injected. */
export function MessageBody({ body }: { body: string }) {
  return <div className="chat-text">{parseMarkdown(body).map((block, index) => renderBlock(block, index))}</div>
}

function renderBlock(block: MarkdownBlock, key: number) {
  switch (block.type) {
    case 'code':
      return (
        <pre key={key} className="chat-code">
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List key={key}>
          {numbered(block.items).map(([item, at]) => (
            <li key={at}>{renderInline(item)}</li>
          ))}
        </List>
      )
    }
    case 'quote':
      return <blockquote key={key}>{renderLines(block.lines)}</blockquote>
    case 'paragraph':
      return <p key={key}>{renderLines(block.lines)}</p>
  }
}

const renderLines = (lines: MarkdownInline[][]) =>
  numbered(lines).map(([line, index]) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {renderInline(line)}
    </Fragment>
  ))

const renderInline = (parts: MarkdownInline[]) =>
  numbered(parts).map(([part, index]) => <Fragment key={index}>{renderPart(part)}</Fragment>)

function renderPart(part: MarkdownInline) {
  switch (part.type) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'bold':
      return <strong>{renderInline(part.content)}</strong>
    case 'italic':
      return <em>{renderInline(part.content)}</em>
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="link">
          {part.text}
        </a>
      )
  }
}

const numbered = <Item,>(items: readonly Item[]): [Item, number][] => items.map((item, index) => [item, index])
