import { type FormEvent, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { formatClockOffset } from '#lib/core/shared/text/clock.ts'
import { canRestrict, DELETE_OWN_LIMIT_MS, isStaff } from '#lib/meeting/chat/rules.ts'
import { type ChatMessageView, UPVOTE } from '#lib/meeting/chat/schema.ts'
import type { RoomPerson } from '#lib/meeting/room-schema.ts'
import { ChatText } from '../chat/ChatText.tsx'
import { toggleReaction } from '../chat/chat.ts'
import { countQuestionVotes } from '../chat/chat-list.ts'
import { createModerationMenu } from '../chat/chat-menu.ts'
import { roomApi, roomNow } from '../room.ts'
import { useTranslation } from '../translation.ts'

interface Props {
  question: ChatMessageView
  me: RoomPerson
  isAnswering: boolean
  run: (action: () => Promise<unknown>) => void
}

/** A question with its votes, and for staff the actions to answer it. */
export function QuestionCard({ question, me, isAnswering, run }: Props) {
  const { t } = useTranslation()
  const [isFormOpen, setIsFormOpen] = useState(false)
  const { messageId, name, text, holdReason, offsetMs, answer, authorId, state } = question
  const votes = countQuestionVotes(question)
  const staff = isStaff(me.role)
  const isOwn = authorId === me.personId
  const canDelete = staff || (isOwn && roomNow() - question.at < DELETE_OWN_LIMIT_MS)
  return (
    <li className="chat-card" data-answering={isAnswering || undefined} data-message={messageId}>
      {isAnswering && <p className="chat-now">{t('meeting:question.now')}</p>}
      <div className="question">
        <button
          type="button"
          className="question-up"
          aria-pressed={question.ownReactions.includes(UPVOTE)}
          aria-label={`${t('meeting:question.up')}: ${t('meeting:question.votes', { count: votes })}`}
          onClick={() => run(() => toggleReaction(question, UPVOTE))}
        >
          <span aria-hidden="true">▲</span>
          {votes}
        </button>
        <div className="question-body">
          <p className="chat-head">
            <strong>{name}</strong>
            {isOwn && <span className="chat-you">{t('meeting:chat.you')}</span>}
            <span className="chat-time">{formatClockOffset(offsetMs)}</span>
          </p>
          <ChatText text={text} />
          {state !== 'shown' && holdReason && <p className="chat-held">{t(`meeting:chat.held.${holdReason}`)}</p>}
          {answer && (
            <div className="question-answer">
              <p className="chat-head">
                <strong>{t('meeting:question.answered', { name: answer.name })}</strong>
                <span className="chat-time">{formatClockOffset(answer.offsetMs)}</span>
              </p>
              {answer.text ? <ChatText text={answer.text} /> : <p>{t('meeting:question.aloud')}</p>}
            </div>
          )}
        </div>
      </div>
      {(staff || canDelete) && (
        <p className="chat-reactions">
          {staff && !answer && state === 'shown' && (
            <button
              type="button"
              className="btn btn-xs"
              onClick={() => run(() => roomApi.setAnswering({ messageId: isAnswering ? null : messageId }))}
            >
              {t(isAnswering ? 'meeting:question.stopNow' : 'meeting:question.setNow')}
            </button>
          )}
          {staff && !answer && (
            <button
              type="button"
              className="btn btn-xs"
              onClick={() => run(() => roomApi.answerQuestion({ messageId, text: '' }))}
            >
              {t('meeting:question.markAloud')}
            </button>
          )}
          {staff && (
            <button
              type="button"
              className="btn btn-xs"
              aria-expanded={isFormOpen}
              onClick={() => setIsFormOpen(!isFormOpen)}
            >
              {t('meeting:question.answer')}
            </button>
          )}
          {canDelete && (
            <button
              type="button"
              className="btn btn-xs btn-ghost"
              onClick={() => run(() => roomApi.deleteMessage({ messageId }))}
            >
              {t('meeting:chat.delete')}
            </button>
          )}
          {staff && authorId && canRestrict(me, { personId: authorId, role: question.role }).allow && (
            <Menu
              trigger={
                <button type="button" className="btn btn-xs btn-ghost" aria-label={t('meeting:people.acts', { name })}>
                  ⋯
                </button>
              }
              entries={createModerationMenu(
                { personId: authorId, name, role: question.role, mutedUntil: null, isolated: false, banned: false },
                { t, me, run },
              )}
            />
          )}
        </p>
      )}
      {isFormOpen && <AnswerForm question={question} run={run} onDone={() => setIsFormOpen(false)} />}
    </li>
  )
}

function AnswerForm({ question, run, onDone }: Pick<Props, 'question' | 'run'> & { onDone: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState(question.answer?.text ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    run(async () => {
      await roomApi.answerQuestion({ messageId: question.messageId, text: text.trim() })
      onDone()
    })
  }
  return (
    <form className="question-form" onSubmit={send}>
      <textarea
        className="textarea"
        rows={3}
        maxLength={4000}
        aria-label={t('meeting:question.answerLabel')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="chat-reactions">
        <button type="submit" className="btn btn-sm btn-primary">
          {t('meeting:question.save')}
        </button>
        <button type="button" className="btn btn-sm btn-ghost" onClick={onDone}>
          {t('meeting:question.cancel')}
        </button>
      </p>
    </form>
  )
}
