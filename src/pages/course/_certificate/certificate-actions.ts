import { issueCertificates, issueToAll } from '#lib/certificate/issue/issue.ts'
import { reissueCertificate, revokeCertificate } from '#lib/certificate/issue/lifecycle.ts'
import { IssueCertificates, ReissueCertificate, RevokeCertificate } from '#lib/certificate/issue/schema.ts'
import { changeRequest, setScan } from '#lib/certificate/request/request.ts'
import { ChangeRequest } from '#lib/certificate/request/schema.ts'
import { saveRule } from '#lib/certificate/rule/rule.ts'
import { SaveRule } from '#lib/certificate/rule/schema.ts'
import { CreateTemplate } from '#lib/certificate/template/schema.ts'
import { createTemplate, deleteTemplate } from '#lib/certificate/template/template.ts'
import { readInstant } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

/** Form actions of the certificate tab; each returns the path to redirect to. `stay` is the current one. */
export function certificateActions(actor: Actor, courseId: string, stay: string) {
  const base = `/course/edit/${courseId}?tab=certificate`
  const certificateId = (form: FormData) => parseId(formText(form, 'certificateId'))
  const withNotice = (path: string, notice: string) => {
    const [pathname = '', search = ''] = path.split('?')
    const params = new URLSearchParams(search)
    params.delete('queued')
    params.set('notice', notice)
    return `${pathname}?${params}`
  }
  return {
    saveCertificateRule: async (form: FormData) => {
      await saveRule(actor, SaveRule.parse(ruleOf(form, courseId, actor.tenantTimeZone)))
      return `${base}&notice=ruleSaved`
    },
    createCertificateTemplate: async (form: FormData) => {
      const { templateId } = await createTemplate(
        actor,
        CreateTemplate.parse({
          templateId: formText(form, 'templateId'),
          preset: formText(form, 'preset'),
          locale: formText(form, 'locale'),
        }),
      )
      return `${base}&view=templates&template=${templateId}`
    },
    deleteCertificateTemplate: async (form: FormData) => {
      await deleteTemplate(actor, { templateId: parseId(formText(form, 'templateId')) })
      return `${base}&view=templates&notice=templateDeleted`
    },
    issueCertificates: async (form: FormData) => {
      const studentIds = form.getAll('studentId').map(String)
      const { queued } = await issueCertificates(actor, IssueCertificates.parse({ courseId, studentIds }))
      return `${base}&view=students&queued=${queued}`
    },
    issueToAll: async () => {
      await issueToAll(actor, { courseId })
      return `${base}&view=students&notice=queuedAll`
    },
    reissueCertificate: async (form: FormData) => {
      const input = {
        certificateId: certificateId(form),
        name: formText(form, 'name'),
        note: formText(form, 'note'),
      }
      await reissueCertificate(actor, ReissueCertificate.parse(input))
      return withNotice(stay, 'reissued')
    },
    revokeCertificate: async (form: FormData) => {
      const input = { certificateId: certificateId(form), reason: formText(form, 'reason') }
      await revokeCertificate(actor, RevokeCertificate.parse(input))
      return withNotice(stay, 'revoked')
    },
    changeCertificateRequest: async (form: FormData) => {
      await changeRequest(
        actor,
        ChangeRequest.parse({
          certificateId: certificateId(form),
          action: formText(form, 'action'),
          trackingNumber: formText(form, 'trackingNumber'),
          reason: formText(form, 'reason'),
        }),
      )
      return withNotice(stay, 'changed')
    },
    saveCertificateScan: async (form: FormData) => {
      const sent = form.get('scan')
      const bytes = sent instanceof File ? new Uint8Array(await sent.arrayBuffer()) : new Uint8Array()
      const name = sent instanceof File ? sent.name : ''
      const { fileId } = await storeImage(actor, { name, bytes })
      await setScan(actor, { certificateId: certificateId(form), fileId })
      return withNotice(stay, 'scanSaved')
    },
  }
}

function ruleOf(form: FormData, courseId: string, zone: string) {
  const number = (name: string) => (formText(form, name).trim() === '' ? null : Number(formText(form, name)))
  return {
    courseId,
    version: number('version') ?? 0,
    enabled: form.has('enabled'),
    type: formText(form, 'type') || 'electronic',
    templateId: formText(form, 'templateId') || null,
    minCompletion: number('minCompletion') ?? Number.NaN,
    requireTasks: form.has('requireTasks'),
    testId: formText(form, 'testId') || null,
    minScore: number('minScore'),
    deadline: readInstant(form, 'deadline', zone),
    autoIssue: form.has('autoIssue'),
    confirmName: form.has('confirmName'),
    validMonths: number('validMonths'),
    hours: number('hours'),
    numberFormat: formText(form, 'numberFormat'),
  }
}
