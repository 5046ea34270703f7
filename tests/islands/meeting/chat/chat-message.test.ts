import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ChatMessage } from '#islands/meeting/chat/ChatMessage.tsx'
import { Reaction } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'

const CORPUS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "';alert(1);//",
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  'https://example.org/"onmouseover="alert(1)',
  'https://example.org/<script>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;img src=x&gt;',
  '\u202Ehttps://example.org',
  '<iframe srcdoc="<script>alert(1)</script>">',
  'data:text/html,<script>alert(1)</script>',
]

const me: RoomPerson = {
  personId: 'me',
  name: 'Я',
  role: 'viewer',
  kind: 'guest',
  locale: 'uk',
  mutedUntil: null,
  isolated: false,
  stage: 'off',
}

const render = (text: string) =>
  renderToStaticMarkup(
    createElement(ChatMessage, {
      message: {
        messageId: 'm',
        seq: 1,
        kind: 'message',
        state: 'shown',
        holdReason: null,
        at: 0,
        offsetMs: 0,
        authorId: 'other',
        name: text,
        role: 'viewer',
        text,
        replyTo: 'r',
        reply: { name: text, text },
        reactions: { [text]: 1 },
        ownReactions: [],
        answer: null,
      },
      me,
      isPinned: false,
      seek: () => {},
      run: () => {},
      reply: () => {},
    }),
  )

describe('a message', () => {
  test.each(CORPUS)('is rendered as text only: %s', (text) => {
    const html = render(text)
    const tags = [...html.matchAll(/<\/?([a-z0-9-]+)/gi)].map(([, tag]) => tag)
    expect(tags.filter((tag) => !['p', 'strong', 'button', 'a', 'span'].includes(tag ?? ''))).toEqual([])
    expect([...html.matchAll(/<[^>]*\s(on\w+)=/g)]).toEqual([])
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:\/\//)
  })

  test('accepts no reaction outside the list', () => {
    for (const text of CORPUS) expect(Reaction.safeParse(text).success).toBe(false)
  })
})
