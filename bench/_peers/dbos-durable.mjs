import { DBOS } from '@dbos-inc/dbos-sdk'

export function create() {
  let current
  const run = DBOS.registerWorkflow(
    async () => {
      const { activities, perform } = current
      for (let number = 1; number <= activities; number++) {
        await DBOS.runStep(
          async () => {
            perform()
            return 1
          },
          { name: 'activity' },
        )
      }
    },
    { name: 'run' },
  )
  let calling
  return {
    async setup({ url }) {
      DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' })
      await DBOS.launch()
    },
    async start(task) {
      current = task
      let left = task.runs
      const caller = async () => {
        while (left-- > 0) {
          const handle = await DBOS.startWorkflow(run)()
          await handle.getResult()
        }
      }
      calling = Promise.all(Array.from({ length: task.atOnce }, caller))
    },
    stop: () => calling,
    isLeft: `select exists (select from dbos.workflow_status where status <> 'SUCCESS') as answer`,
    recorded: `select count(*)::int as answer from dbos.operation_outputs where function_name = 'activity'`,
  }
}
