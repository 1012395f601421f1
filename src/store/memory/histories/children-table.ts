import { compareIds, inOrderOf } from '../schema/compare.ts'
import type { ChildRow } from '../schema/rows.ts'
import { GroupedIndex, keyOf, Table } from '../schema/table.ts'

const byChild = inOrderOf<ChildRow>(
  (a, b) => compareIds(a.childId, b.childId),
  (a, b) => compareIds(a.parentId, b.parentId),
)

/** Who has started whom, as long as the end of it is not taken note of. */
export class Children {
  readonly #byParent = new GroupedIndex<ChildRow>(({ parentId }) => parentId, byChild)
  readonly #byChild = new GroupedIndex<ChildRow>(({ childId }) => childId, byChild)
  readonly #rows = new Table<ChildRow>(
    ({ parentId, childId }) => keyOf(parentId, childId),
    [this.#byParent, this.#byChild],
  )

  put(row: ChildRow): void {
    this.#rows.put(Object.freeze(row))
  }

  take(parentId: string, childId: string): void {
    this.#rows.take(keyOf(parentId, childId))
  }

  childrenOf(parentId: string): ChildRow[] {
    return this.#byParent.rowsOf(parentId)
  }

  parentsOf(childId: string): ChildRow[] {
    return this.#byChild.rowsOf(childId)
  }

  removeAllOf(parentId: string): void {
    for (const { childId } of this.childrenOf(parentId)) this.take(parentId, childId)
  }
}
