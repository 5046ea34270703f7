import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelQuestionImport, startQuestionImport } from '#lib/quiz/transfer/import-job/question-import.ts'
import { storeQuestionFile } from '#lib/quiz/transfer/transfer.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

const PATH = '/courses?questions=import'

/** Form actions of the import of questions; each returns the path to show next. `pastedName`: the name of pasted text. */
export function questionActions(actor: Actor, pastedName: string) {
  return {
    uploadQuestions: async (form: FormData) => {
      const { fileId } = await storeQuestionFile(actor, await readSource(form, pastedName))
      return `${PATH}&file=${fileId}`
    },
    importQuestions: async (form: FormData) => {
      const fileId = parseId(formText(form, 'fileId'))
      const bankId = z.uuid().safeParse(formText(form, 'bankId'))
      const { importId } = await startQuestionImport(actor, { fileId, bankId: bankId.success ? bankId.data : null })
      return `${PATH}&import=${importId}`
    },
    cancelImport: async (form: FormData) => {
      const importId = parseId(formText(form, 'importId'))
      await cancelQuestionImport(actor, { importId })
      return `${PATH}&import=${importId}`
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
