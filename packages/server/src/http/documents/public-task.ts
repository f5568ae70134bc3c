import type { Store } from '../../ports/store.ts'
import { publicTaskView } from '../views/public-task-view.ts'
import type { Source } from './kept-documents.ts'

/** A task as everybody sees it. */
export const publicTask = (store: Store, id: string): Source<ReturnType<typeof publicTaskView>, null> => ({
  name: `task ${id}`,
  fingerprint: () => store.taskFingerprint(id),
  read: async () => {
    const found = await store.publicTask(id)
    return found === null ? null : { fingerprint: found.fingerprint, body: publicTaskView(found) }
  },
})
