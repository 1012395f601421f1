import { readTypeScript } from './read-typescript.ts'

// For `node --import`: isolates, which are processes of their own, read what their node reads.
readTypeScript()
