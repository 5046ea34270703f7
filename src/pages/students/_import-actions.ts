import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mapImport, startStudentImport } from '#lib/student/import/map.ts'
import { ImportTargetInput, MapImport } from '#lib/student/import/schema.ts'
import { uploadImport } from '#lib/student/import/upload.ts'
import { createStudentMessage } from '#lib/student/message/message.ts'
import { CreateStudentMessage } from '#lib/student/message/schema.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { messagePath } from './_outbox-actions.ts'

const importPath = (importId: string): string => `/students?tab=import&import=${importId}`

/** Form actions of the import of students; each returns the path to show next. `pastedName`: the name of pasted text. */
export function importActions(actor: Actor, pastedName: string) {
  return {
    uploadImport: async (form: FormData) => {
      const importId = parseId(formText(form, 'importId'))
      await uploadImport(actor, { importId, ...(await readSource(form, pastedName)) })
      return importPath(importId)
    },
    mapImport: async (form: FormData) => {
      const importId = parseId(formText(form, 'importId'))
      const mapping = form.getAll('field').map((value) => ImportTargetInput.nullable().catch(null).parse(value))
      const [courseId, groupId, tag] = [formText(form, 'courseId'), formText(form, 'groupId'), formText(form, 'tag')]
      await mapImport(actor, MapImport.parse({ importId, mapping, courseId, groupId, tag }))
      return importPath(importId)
    },
    startImport: async (form: FormData) => {
      const { importId } = await startStudentImport(actor, { importId: parseId(formText(form, 'importId')) })
      return importPath(importId)
    },
    /** Creates a draft in the outbox: nothing is sent before the confirmation there. */
    inviteImported: async (form: FormData) => {
      const importId = parseId(formText(form, 'importId'))
      const messageId = parseId(formText(form, 'messageId'))
      await createStudentMessage(
        actor,
        CreateStudentMessage.parse({ messageId, target: { importId }, action: 'invite' }),
      )
      return messagePath(messageId)
    },
  }
}

async function readSource(form: FormData, pastedName: string): Promise<{ bytes: Uint8Array; fileName: string }> {
  const file = form.get('file')
  if (file instanceof File && file.size > 0) {
    return { bytes: new Uint8Array(await file.arrayBuffer()), fileName: file.name }
  }
  const text = formText(form, 'text')
  if (text.trim() === '') throw new Refusal('invalid', { fields: { text: ['required'] } })
  return { bytes: new TextEncoder().encode(text), fileName: pastedName }
}
