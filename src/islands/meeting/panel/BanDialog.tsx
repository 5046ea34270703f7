import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { REASON_LIMIT } from '#lib/meeting/chat/schema.ts'
import { $banning, ban } from '../chat/chat-ban.ts'
import { failWith } from '../stage/stage-fail.ts'
import { useWords } from '../stage/stage-words.ts'

/** Asks why somebody is banned: the reason is kept in the log of the event. */
export function BanDialog() {
  const person = useStore($banning)
  return person && <Asking key={person.personId} person={person} />
}

function Asking({ person }: { person: { personId: string; name: string } }) {
  const { say } = useWords()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setMissing(true)
    $banning.set(null)
    ban(person, reason, say).catch(failWith)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && $banning.set(null)}
      title={say('meeting:ban.title', { name: person.name })}
      text={say('meeting:ban.text')}
      closeLabel={say('stage:cancel')}
      actions={(close) => (
        <>
          {close}
          <Button type="submit" form="ban" tone="danger">
            {say('meeting:ban.do')}
          </Button>
        </>
      )}
    >
      <form id="ban" onSubmit={submit} noValidate>
        <TextArea
          label={say('meeting:ban.reason')}
          value={reason}
          rows={2}
          maxLength={REASON_LIMIT}
          error={missing ? say('meeting:ban.missing') : undefined}
          onChange={({ target }) => {
            setReason(target.value)
            setMissing(false)
          }}
        />
      </form>
    </Dialog>
  )
}
