import { NoInput, NoOutput, noOutput, procedureForRoles, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { getCaption, listCaptions, removeCaption, saveCaption } from './caption/caption.ts'
import { requestCaptions, requestTexts } from './caption/generation.ts'
import { CaptionView, SavedCaption } from './caption/output-schema.ts'
import { copyFiles } from './copy.ts'
import { getFile } from './details.ts'
import { createStorageFolder, ensureFolders, moveFiles, renameFile } from './folders.ts'
import {
  CopyResult,
  CreateFolderOutput,
  DeleteStorageOutput,
  EmptyTrashOutput,
  EnsureFoldersOutput,
  FileDetails,
  FileList,
  FilesZipLink,
  FindDuplicateOutput,
  GetVideoEditorOutput,
  ListCaptionsOutput,
  ListPartsOutput,
  ListUploadsOutput,
  MoveStorageOutput,
  PlaybackView,
  PurgeStorageOutput,
  RenameStorageOutput,
  RestoreStorageOutput,
  SaveChaptersOutput,
  SaveTextsOutput,
  SignPartOutput,
  StartUploadOutput,
  StoredFileView,
} from './output-schema.ts'
import { getConverter, getPresentation, startPresentation } from './presentation/presentation.ts'
import { ConversionState, ConverterView, PresentationRef, StartConversion } from './presentation/schema.ts'
import {
  CaptionRef,
  ChoosePoster,
  CreateFolder,
  DeleteFiles,
  EnsureFolders,
  FileRef,
  FileRefs,
  FindDuplicate,
  ListFiles,
  MoveFiles,
  RenameFile,
  RenewPlayback,
  RequestCaptions,
  SaveCaption,
  SaveChapters,
  SavePosition,
  SaveTexts,
  SignPart,
  StartUpload,
  UploadRef,
  ZipFiles,
} from './schema.ts'
import { listFiles } from './storage.ts'
import { deleteFiles, emptyTrash, purgeFiles, restoreFiles } from './trash.ts'
import { abortUpload } from './upload/abort.ts'
import { finishUpload } from './upload/finish.ts'
import { Quota } from './upload/output-schema.ts'
import { getQuota } from './upload/quota.ts'
import { findDuplicate, listUploadParts, listUploads, signPart, startUpload } from './upload/upload.ts'
import { VideoView } from './video/output-schema.ts'
import { getPlayback, renewPlayback, savePosition } from './video/playback.ts'
import { choosePoster, getVideo, retryVideo } from './video/video.ts'
import { getVideoEditor, saveChapters, saveTexts } from './video/video-editor.ts'
import { prepareZip } from './zip.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The API procedures of the file library. */
export const storageProcedures = {
  list: staff
    .route({ summary: 'Returns a page of a folder, of search results in all folders, or of the trash' })
    .input(ListFiles)
    .output(FileList)
    .handler(({ input, context }) => listFiles(context.actor, input)),
  get: staff
    .route({ summary: 'Returns details of a file or folder outside of the trash' })
    .input(FileRef)
    .output(FileDetails)
    .handler(({ input, context }) => getFile(context.actor, input)),
  createFolder: staff
    .route({ summary: 'Creates a folder' })
    .input(CreateFolder)
    .output(CreateFolderOutput)
    .handler(({ input, context }) => createStorageFolder(context.actor, input)),
  ensureFolders: staff
    .route({ summary: 'Creates nested folders where they are missing' })
    .input(EnsureFolders)
    .output(EnsureFoldersOutput)
    .handler(({ input, context }) => ensureFolders(context.actor, input)),
  rename: staff
    .route({ summary: 'Renames a file or folder' })
    .input(RenameFile)
    .output(RenameStorageOutput)
    .handler(({ input, context }) => renameFile(context.actor, input)),
  move: staff
    .route({ summary: 'Moves files and folders into a folder' })
    .input(MoveFiles)
    .output(MoveStorageOutput)
    .handler(({ input, context }) => moveFiles(context.actor, input)),
  copy: staff
    .route({ summary: 'Copies files and folders with their content into a folder' })
    .input(MoveFiles)
    .output(CopyResult)
    .handler(({ input, context }) => copyFiles(context.actor, input)),
  delete: staff
    .route({ summary: 'Moves files and folders with their content into the trash' })
    .input(DeleteFiles)
    .output(DeleteStorageOutput)
    .handler(({ input, context }) => deleteFiles(context.actor, input)),
  restore: staff
    .route({ summary: 'Restores deleted files to their folder, or to the top when it no longer exists' })
    .input(FileRefs)
    .output(RestoreStorageOutput)
    .handler(({ input, context }) => restoreFiles(context.actor, input)),
  purge: staff
    .route({ summary: 'Deletes files in the trash for good and frees their bytes' })
    .input(FileRefs)
    .output(PurgeStorageOutput)
    .handler(({ input, context }) => purgeFiles(context.actor, input)),
  emptyTrash: staff
    .route({ summary: 'Deletes all unused files in the trash for good' })
    .input(NoInput)
    .output(EmptyTrashOutput)
    .handler(({ context }) => emptyTrash(context.actor)),
  offerZip: staff
    .route({ summary: 'Signs the URL of a ZIP with the selected files and the content of selected folders' })
    .input(ZipFiles)
    .output(FilesZipLink)
    .handler(({ input, context }) => prepareZip(context.actor, input)),
  startUpload: staff
    .route({ summary: 'Starts an upload after all checks that are possible before the first byte' })
    .input(StartUpload)
    .output(StartUploadOutput)
    .handler(({ input, context }) => startUpload(context.actor, input)),
  signPart: signedInProcedure
    .route({ summary: 'Signs a URL to which this viewer may PUT one part for an hour' })
    .input(SignPart)
    .output(SignPartOutput)
    .handler(({ input, context }) => signPart(context.actor, input)),
  listParts: signedInProcedure
    .route({ summary: 'Returns the uploaded parts' })
    .input(UploadRef)
    .output(ListPartsOutput)
    .handler(({ input, context }) => listUploadParts(context.actor, input)),
  finishUpload: signedInProcedure
    .route({ summary: 'Creates the file of an upload whose parts are complete' })
    .input(UploadRef)
    .output(StoredFileView)
    .handler(({ input, context }) => finishUpload(context.actor, input)),
  getConverter: staff
    .route({ summary: 'Returns whether presentations can be converted to PDF' })
    .input(NoInput)
    .output(ConverterView)
    .handler(({ context }) => getConverter(context.actor)),
  startPresentation: staff
    .route({ summary: 'Starts the upload of a presentation that is converted to PDF' })
    .input(StartConversion)
    .output(StartUploadOutput)
    .handler(({ input, context }) => startPresentation(context.actor, input)),
  getPresentation: staff
    .route({ summary: 'Returns the state of the conversion of a presentation' })
    .input(PresentationRef)
    .output(ConversionState)
    .handler(({ input, context }) => getPresentation(context.actor, input)),
  abortUpload: signedInProcedure
    .route({ summary: 'Aborts an upload of the actor' })
    .input(UploadRef)
    .output(NoOutput)
    .handler(({ input, context }) => abortUpload(context.actor, input).then(noOutput)),
  listUploads: signedInProcedure
    .route({ summary: "Returns the actor's unfinished uploads, the oldest first, a hundred at most" })
    .input(NoInput)
    .output(ListUploadsOutput)
    .handler(({ context }) => listUploads(context.actor)),
  findDuplicate: staff
    .route({ summary: 'Returns a file with this sample in the storage, or null' })
    .input(FindDuplicate)
    .output(FindDuplicateOutput)
    .handler(({ input, context }) => findDuplicate(context.actor, input)),
  getQuota: staff
    .route({ summary: 'Returns the storage usage of the tenant, with its ten largest files' })
    .input(NoInput)
    .output(Quota)
    .handler(({ context }) => getQuota(context.actor)),
  getPlayback: staff
    .route({ summary: 'Returns what the player needs for a file, for staff who manage files' })
    .input(FileRef)
    .output(PlaybackView)
    .handler(({ input, context }) => getPlayback(context.actor, input)),
  renewPlayback: signedInProcedure
    .route({ summary: 'Returns a fresh playback view for the base of an old one, even an expired one' })
    .input(RenewPlayback)
    .output(PlaybackView)
    .handler(({ input, context }) => renewPlayback(context.actor, input)),
  savePosition: signedInProcedure
    .route({ summary: 'Saves the playback position of the actor' })
    .input(SavePosition)
    .output(NoOutput)
    .handler(({ input, context }) => savePosition(context.actor, input).then(noOutput)),
  getVideo: staff
    .route({ summary: 'Returns the encoding state of a video, for team members who manage files' })
    .input(FileRef)
    .output(VideoView)
    .handler(({ input, context }) => getVideo(context.actor, input)),
  retryVideo: staff
    .route({ summary: 'Retries a failed video, with three new attempts' })
    .input(FileRef)
    .output(NoOutput)
    .handler(({ input, context }) => retryVideo(context.actor, input).then(noOutput)),
  choosePoster: staff
    .route({ summary: 'Chooses the poster from the candidates, from 0' })
    .input(ChoosePoster)
    .output(NoOutput)
    .handler(({ input, context }) => choosePoster(context.actor, input).then(noOutput)),
  getVideoEditor: staff
    .route({ summary: 'Returns everything that the video editor shows besides the player' })
    .input(FileRef)
    .output(GetVideoEditorOutput)
    .handler(({ input, context }) => getVideoEditor(context.actor, input)),
  saveTexts: staff
    .route({ summary: 'Saves name and description based on `version`' })
    .input(SaveTexts)
    .output(SaveTextsOutput)
    .handler(({ input, context }) => saveTexts(context.actor, input)),
  saveChapters: staff
    .route({ summary: 'Saves the chapters based on `version`, ordered by time' })
    .input(SaveChapters)
    .output(SaveChaptersOutput)
    .handler(({ input, context }) => saveChapters(context.actor, input)),
  listCaptions: staff
    .route({ summary: 'Returns the captions of a video by language' })
    .input(FileRef)
    .output(ListCaptionsOutput)
    .handler(({ input, context }) => listCaptions(context.actor, input)),
  getCaption: staff
    .route({ summary: 'Returns the cues of one language' })
    .input(CaptionRef)
    .output(CaptionView)
    .handler(({ input, context }) => getCaption(context.actor, input)),
  saveCaption: staff
    .route({
      summary: 'Saves the captions of a language from WebVTT or SubRip, based on `version` (0 when there were none)',
    })
    .input(SaveCaption)
    .output(SavedCaption)
    .handler(({ input, context }) => saveCaption(context.actor, input)),
  removeCaption: staff
    .route({ summary: 'Removes the captions of a language' })
    .input(CaptionRef)
    .output(NoOutput)
    .handler(({ input, context }) => removeCaption(context.actor, input).then(noOutput)),
  requestCaptions: staff
    .route({ summary: 'Requests captions in a language, generated from the audio' })
    .input(RequestCaptions)
    .output(NoOutput)
    .handler(({ input, context }) => requestCaptions(context.actor, input).then(noOutput)),
  requestTexts: staff
    .route({ summary: "Requests a name and a description in the tenant's language, generated from the captions" })
    .input(FileRef)
    .output(NoOutput)
    .handler(({ input, context }) => requestTexts(context.actor, input).then(noOutput)),
}
