import { saveCaption as domainSaveCaption } from '#lib/storage/caption/caption.ts'
import { requestCaptions as domainRequestCaptions } from '#lib/storage/caption/generation.ts'
import { renameFile as domainRenameFile } from '#lib/storage/folders.ts'
import { DeleteFiles, ListFiles, RenameFile, RequestCaptions, SaveCaption, SaveTexts } from '#lib/storage/schema.ts'
import { listFiles as domainListFiles } from '#lib/storage/storage.ts'
import { deleteFiles as domainDeleteFiles } from '#lib/storage/trash.ts'
import { saveTexts as domainSaveTexts } from '#lib/storage/video/video-editor.ts'
import { parsed } from './parsed.ts'

export const listFiles = parsed(ListFiles, domainListFiles)
export const saveCaption = parsed(SaveCaption, domainSaveCaption)
export const requestCaptions = parsed(RequestCaptions, domainRequestCaptions)
export const renameFile = parsed(RenameFile, domainRenameFile)
export const deleteFiles = parsed(DeleteFiles, domainDeleteFiles)
export const saveTexts = parsed(SaveTexts, domainSaveTexts)
