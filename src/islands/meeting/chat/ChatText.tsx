import { splitLinks } from '#lib/meeting/chat/word-rules.ts'

/** Somebody's words, as text: only whole addresses of http(s) become links, and only where links are let through. */
export function ChatText({ text }: { text: string }) {
  return (
    <p className="chat-text">
      {splitLinks(text).map((part) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <a key={part.start} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
            {part.text}
          </a>
        ),
      )}
    </p>
  )
}
