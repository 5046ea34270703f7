import {
  makeFromVideo as domainMakeFromVideo,
  makeFromWebinar as domainMakeFromWebinar,
} from '#lib/autowebinar/autowebinar.ts'
import { listViewerQuestions as domainListViewerQuestions } from '#lib/autowebinar/question.ts'
import {
  ImportScript,
  ListViewerQuestions,
  MakeFromVideo,
  MakeFromWebinar,
  SaveEntry,
} from '#lib/autowebinar/schema.ts'
import { saveEntry as domainSaveEntry } from '#lib/autowebinar/script.ts'
import { importScript as domainImportScript } from '#lib/autowebinar/script-csv.ts'
import { parsed } from './parsed.ts'

export const makeFromVideo = parsed(MakeFromVideo, domainMakeFromVideo)
export const saveEntry = parsed(SaveEntry, domainSaveEntry)
export const makeFromWebinar = parsed(MakeFromWebinar, domainMakeFromWebinar)
export const importScript = parsed(ImportScript, domainImportScript)
export const listViewerQuestions = parsed(ListViewerQuestions, domainListViewerQuestions)
