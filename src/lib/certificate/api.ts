import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { claimCertificate, getOwnCertificate, listOwnCertificates } from './issue/claim.ts'
import { issueCertificates, issueToAll } from './issue/issue.ts'
import { reissueCertificate, revokeCertificate } from './issue/lifecycle.ts'
import { countCertificates, listQualified } from './issue/list.ts'
import {
  ClaimCertificate,
  CourseRef,
  IssueCertificates,
  ReissueCertificate,
  RevokeCertificate,
} from './issue/schema.ts'
import {
  CertificateCountsOutput,
  CertificateRef,
  ChangedRequest,
  CreatedTemplate,
  OwnCertificateList,
  OwnCertificateOfCourseOutput,
  QualifiedList,
  QueuedCertificatesOutput,
  RequestList,
  RuleOutput,
  SavedVersionOutput,
  TemplateList,
  TemplateOutput,
} from './output-schema.ts'
import { changeRequest, listRequests, setScan } from './request/request.ts'
import { ChangeRequest, ListRequests, SetScan } from './request/schema.ts'
import { getRule, saveRule } from './rule/rule.ts'
import { CertificateCourse, ListQualified, SaveRule } from './rule/schema.ts'
import { CreateTemplate, SaveTemplate, TemplateId } from './template/schema.ts'
import { createTemplate, deleteTemplate, getTemplate, listTemplates, saveTemplate } from './template/template.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const student = procedureForRoles('STUDENT')

/** Procedures of certificates. */
export const certificateProcedures = {
  getRule: staff
    .route({ summary: 'Returns how certificates of a course are earned' })
    .input(CertificateCourse)
    .output(RuleOutput)
    .handler(({ input, context }) => getRule(context.actor, input)),
  saveRule: authors
    .route({ summary: 'Saves how certificates of a course are earned' })
    .input(SaveRule)
    .output(SavedVersionOutput)
    .handler(({ input, context }) => saveRule(context.actor, input)),
  listQualified: staff
    .route({ summary: 'Returns the students of a course with what each lacks for the certificate' })
    .input(ListQualified)
    .output(QualifiedList)
    .handler(({ input, context }) => listQualified(context.actor, input)),
  countByState: staff
    .route({ summary: 'Returns how many certificates of a course there are in each state' })
    .input(CourseRef)
    .output(CertificateCountsOutput)
    .handler(({ input, context }) => countCertificates(context.actor, input)),
  listTemplates: staff
    .route({ summary: 'Returns the templates of the school' })
    .input(NoInput)
    .output(TemplateList)
    .handler(({ context }) => listTemplates(context.actor)),
  getTemplate: staff
    .route({ summary: 'Returns one template' })
    .input(TemplateId)
    .output(TemplateOutput)
    .handler(({ input, context }) => getTemplate(context.actor, input)),
  createTemplate: authors
    .route({ summary: 'Creates a template from a ready one' })
    .input(CreateTemplate)
    .output(CreatedTemplate)
    .handler(({ input, context }) => createTemplate(context.actor, input)),
  saveTemplate: authors
    .route({ summary: 'Saves a template based on `version`' })
    .input(SaveTemplate)
    .output(SavedVersionOutput)
    .handler(({ input, context }) => saveTemplate(context.actor, input)),
  deleteTemplate: authors
    .route({ summary: 'Deletes a template that no course uses' })
    .input(TemplateId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteTemplate(context.actor, input).then(noOutput)),
  issue: authors
    .route({ summary: 'Queues certificates for the chosen students who qualify' })
    .input(IssueCertificates)
    .output(QueuedCertificatesOutput)
    .handler(({ input, context }) => issueCertificates(context.actor, input)),
  issueToAll: authors
    .route({ summary: 'Queues certificates for all students of a course who qualify' })
    .input(CourseRef)
    .output(NoOutput)
    .handler(({ input, context }) => issueToAll(context.actor, input).then(noOutput)),
  reissue: authors
    .route({ summary: 'Issues a certificate again with a corrected name' })
    .input(ReissueCertificate)
    .output(CertificateRef)
    .handler(({ input, context }) => reissueCertificate(context.actor, input)),
  revoke: authors
    .route({ summary: 'Revokes a certificate with a reason' })
    .input(RevokeCertificate)
    .output(NoOutput)
    .handler(({ input, context }) => revokeCertificate(context.actor, input).then(noOutput)),
  listRequests: staff
    .route({ summary: 'Returns the requests for certificates on paper, the oldest first' })
    .input(ListRequests)
    .output(RequestList)
    .handler(({ input, context }) => listRequests(context.actor, input)),
  changeRequest: authors
    .route({ summary: 'Takes a request for a certificate on paper one step further' })
    .input(ChangeRequest)
    .output(ChangedRequest)
    .handler(({ input, context }) => changeRequest(context.actor, input)),
  setScan: authors
    .route({ summary: 'Keeps the scan of a certificate on paper' })
    .input(SetScan)
    .output(NoOutput)
    .handler(({ input, context }) => setScan(context.actor, input).then(noOutput)),
  getMine: student
    .route({ summary: 'Returns the certificate that the student can earn in a course, with what is missing' })
    .input(CourseRef)
    .output(OwnCertificateOfCourseOutput)
    .handler(({ input, context }) => getOwnCertificate(context.actor, input)),
  listMine: student
    .route({ summary: 'Returns the certificates of the student, newest first' })
    .input(NoInput)
    .output(OwnCertificateList)
    .handler(({ context }) => listOwnCertificates(context.actor)),
  claim: student
    .route({ summary: 'Confirms the printed name of an earned certificate, or requests one on paper' })
    .input(ClaimCertificate)
    .output(CertificateRef)
    .handler(({ input, context }) => claimCertificate(context.actor, input)),
}
