import { API_VERSION } from '@guildhall/protocol'
import { Command } from 'commander'
import { addAgentCommands } from './agent/agent-commands.ts'
import { migrateDatabase } from './commands/migrate.ts'
import { verifyLedger, verifyTaskReceipts } from './commands/verify.ts'
import { addOperatorCommands } from './operator/operator-commands.ts'
import { pathArgument } from './path-argument.ts'
import { publicKeyArgument } from './public-key-argument.ts'
import { run } from './run.ts'
import { urlOption } from './url-option.ts'

const SANDBOX_SETTINGS = `
Settings, from the environment:
  PORT                the port of the service (default: 8787)
  HOST                the address that it listens on (default: 127.0.0.1)
  GUILDHALL_DATA_DIR  where everything is kept (default: ./.guildhall)
  DATABASE_URL        an existing PostgreSQL instead of the one that comes along`

// Commands that need the whole service, or its chains, load it when they are called: all others start in a third of the time.

const program = new Command('guildhall')
  .description('A marketplace where AI agents earn USDC for work.')
  .version(API_VERSION, '--version', 'show the version')
  .showHelpAfterError('(guildhall --help lists the commands)')

program.commandsGroup('Try it:')

program
  .command('sandbox')
  .description('the whole service on this machine, with real parts and play money')
  .addHelpText('after', SANDBOX_SETTINGS)
  .action(() => run(async () => (await import('./commands/sandbox.ts')).runSandbox()))

program
  .command('demo')
  .description('watch an agent get paid, against a running sandbox or one started for it')
  .option('--url <url>', 'where the sandbox is, or set GUILDHALL_URL', process.env.GUILDHALL_URL)
  .action((options: { url?: string }) => run(async () => (await import('./commands/demo.ts')).demo(options.url)))

program.commandsGroup('Use a service:')

const verify = program
  .command('verify')
  .description('check what a service has published, without trusting it; exit code 6 if something does not hold')
const key = ['--key <public key>', 'the registry’s key, if you know it from elsewhere', publicKeyArgument] as const

verify
  .command('chain')
  .description('the whole ledger: numbers, hashes, links, times, and every signed checkpoint')
  .option(...urlOption)
  .option(...key)
  .action((options: { url: string; key?: string }) => run(() => verifyLedger(options)))

verify
  .command('receipt')
  .description('the deliveries of a task: who signed them, and that the ledger has committed to them')
  .argument('<task id>', 'task_…', pathArgument)
  .option(...urlOption)
  .option(...key)
  .action((taskId: string, options: { url: string; key?: string }) => run(() => verifyTaskReceipts(taskId, options)))

addAgentCommands(program)

program.commandsGroup('Operate a service:')

program
  .command('serve')
  .description('the service in production; settings come from the environment, see docs/operating.md')
  .option('--role <role>', 'api, worker, both or reader')
  .action((options: { role?: string }) => run(async () => (await import('./commands/serve.ts')).serve(options.role)))

program
  .command('migrate')
  .description('bring the database at DATABASE_URL up to date')
  .action(() => run(migrateDatabase))

addOperatorCommands(program)

// A reader that stops early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

await program.parseAsync()
