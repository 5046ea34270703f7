import { type FormEvent, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { isStaff, mayOrder, TAKE_BACK_MS } from '#lib/meeting/chat/rules.ts'
import { type MessageView, UP } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { ChatText } from '../chat/ChatText.tsx'
import { react } from '../chat/chat.ts'
import { votesOf } from '../chat/chat-list.ts'
import { orderMenu } from '../chat/chat-menu.ts'
import { clockOf } from '../chat/chat-words.ts'
import { act, now } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'

interface Props {
  question: MessageView
  me: RoomPerson
  answering: boolean
  run: (act: () => Promise<unknown>) => void
}

/** A question with its votes, and for the staff the ways to answer it. */
export function QuestionCard({ question, me, answering, run }: Props) {
  const { say } = useWords()
  const [writes, setWrites] = useState(false)
  const { messageId, name, text, held, offsetMs, answer, authorId, state } = question
  const votes = votesOf(question)
  const staff = isStaff(me.role)
  const own = authorId === me.personId
  const mayDelete = staff || (own && now() - question.at < TAKE_BACK_MS)
  return (
    <li className="chat-card" data-answering={answering || undefined} data-message={messageId}>
      {answering && <p className="chat-now">{say('meeting:question.now')}</p>}
      <div className="question">
        <button
          type="button"
          className="question-up"
          aria-pressed={question.mine.includes(UP)}
          aria-label={`${say('meeting:question.up')}: ${say('meeting:question.votes', { count: votes })}`}
          onClick={() => run(() => react(question, UP))}
        >
          <span aria-hidden="true">▲</span>
          {votes}
        </button>
        <div className="question-body">
          <p className="chat-head">
            <strong>{name}</strong>
            {own && <span className="chat-you">{say('meeting:chat.you')}</span>}
            <span className="chat-time">{clockOf(offsetMs)}</span>
          </p>
          <ChatText text={text} />
          {state !== 'shown' && held && <p className="chat-held">{say(`meeting:chat.held.${held}`)}</p>}
          {answer && (
            <div className="question-answer">
              <p className="chat-head">
                <strong>{say('meeting:question.answered', { name: answer.name })}</strong>
                <span className="chat-time">{clockOf(answer.offsetMs)}</span>
              </p>
              {answer.text ? <ChatText text={answer.text} /> : <p>{say('meeting:question.aloud')}</p>}
            </div>
          )}
        </div>
      </div>
      {(staff || mayDelete) && (
        <p className="chat-reactions">
          {staff && !answer && state === 'shown' && (
            <button
              type="button"
              className="btn btn-xs"
              onClick={() => run(() => act.setAnswering({ messageId: answering ? null : messageId }))}
            >
              {say(answering ? 'meeting:question.stopNow' : 'meeting:question.setNow')}
            </button>
          )}
          {staff && !answer && (
            <button
              type="button"
              className="btn btn-xs"
              onClick={() => run(() => act.answerQuestion({ messageId, text: '' }))}
            >
              {say('meeting:question.markAloud')}
            </button>
          )}
          {staff && (
            <button type="button" className="btn btn-xs" aria-expanded={writes} onClick={() => setWrites(!writes)}>
              {say('meeting:question.answer')}
            </button>
          )}
          {mayDelete && (
            <button
              type="button"
              className="btn btn-xs btn-ghost"
              onClick={() => run(() => act.deleteMessage({ messageId }))}
            >
              {say('meeting:chat.delete')}
            </button>
          )}
          {staff && authorId && mayOrder(me, { personId: authorId, role: question.role }).allow && (
            <Menu
              trigger={
                <button
                  type="button"
                  className="btn btn-xs btn-ghost"
                  aria-label={say('meeting:people.acts', { name })}
                >
                  ⋯
                </button>
              }
              entries={orderMenu(
                { personId: authorId, name, role: question.role, mutedUntil: null, isolated: false, banned: false },
                { say, me, run },
              )}
            />
          )}
        </p>
      )}
      {writes && <AnswerForm question={question} run={run} onDone={() => setWrites(false)} />}
    </li>
  )
}

function AnswerForm({ question, run, onDone }: Pick<Props, 'question' | 'run'> & { onDone: () => void }) {
  const { say } = useWords()
  const [text, setText] = useState(question.answer?.text ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    run(async () => {
      await act.answerQuestion({ messageId: question.messageId, text: text.trim() })
      onDone()
    })
  }
  return (
    <form className="question-form" onSubmit={send}>
      <textarea
        className="textarea"
        rows={3}
        maxLength={4000}
        aria-label={say('meeting:question.answerLabel')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="chat-reactions">
        <button type="submit" className="btn btn-sm btn-primary">
          {say('meeting:question.save')}
        </button>
        <button type="button" className="btn btn-sm btn-ghost" onClick={onDone}>
          {say('meeting:question.cancel')}
        </button>
      </p>
    </form>
  )
}
