import { text } from 'node:stream/consumers'
import { passwordFault } from '../domain/people/password.ts'
import { isRole, ROLES, type Role, STAFF_ROLES } from '../domain/people/roles.ts'
import { commonPasswords } from '../node/common-passwords.ts'
import { hashPassword } from '../signing/passwords.ts'
import type { Database, Db } from '../store/engine/database.ts'
import { deletePasskeysOf } from '../store/people/passkeys.ts'
import { endSessionsOf } from '../store/people/sessions.ts'
import { replaceRecoveryCodes } from '../store/people/sign-in.ts'
import { changeUser, findUserByEmail, listUsers, type User } from '../store/people/users.ts'
import { recordAbout } from '../usecases/people/change.ts'
import {
  addMember,
  COMMAND_LINE,
  isEmail,
  newLink,
  passwordUrl,
} from '../usecases/people/manage-users.ts'
import {
  type Command,
  CommandProblem,
  type Given,
  merchantNamed,
  type Opened,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'

/** People who sign in to the dashboard. */
export const USER_COMMANDS: readonly Command[] = [
  {
    name: 'user add',
    summary: 'Let a person sign in; prints a link that works once, to set a password',
    arguments: ['email'],
    options: {
      merchant: { value: 'short-name', summary: 'the merchant to which the person belongs' },
      role: { value: 'role', summary: `what the person may do: ${ROLES.join(', ')}` },
      country: {
        value: 'country',
        many: true,
        summary: 'only payments of this country, such as ZMB; repeatable (default all)',
      },
      'password-stdin': { summary: 'set the password from the standard input, and print no link' },
    },
    run: add,
  },
  {
    name: 'user list',
    summary: 'List the people who may sign in',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const users = (await listUsers(database)).map((user) => ({
          email: user.email,
          merchants: user.merchants,
          secondFactor: factorsOf(user),
          state: stateOf(user),
        }))
        return print(json, users, table(users))
      }),
  },
  changing('disable', 'Keep a person from signing in, at once', async (tx, user, now) => {
    await changeUser(tx, user.userId, { disabledMs: now })
    await endSessionsOf(tx, user.userId)
  }),
  changing('enable', 'Let a person sign in again', (tx, user) =>
    changeUser(tx, user.userId, { disabledMs: null }),
  ),
  {
    name: 'user reset',
    summary: 'Take away password and second factor; prints a link to set another password',
    arguments: ['email'],
    options: {},
    run: ({ positionals: [email = ''], json }) =>
      withDatabase(async (opened) => {
        const now = Date.now()
        const user = await userNamed(opened.database, email)
        const code = await opened.database.inTransaction(async (tx) => {
          await changeUser(tx, user.userId, {
            passwordHash: null,
            sealedCodeKey: null,
            codeSinceMs: null,
          })
          await deletePasskeysOf(tx, user.userId)
          await replaceRecoveryCodes(tx, user.userId, [])
          await endSessionsOf(tx, user.userId)
          await recordFor(tx, user, 'user reset', now)
          return newLink(tx, user.userId, 'PASSWORD', now)
        })
        return printLink(opened, user.email, code, json)
      }),
  },
]

async function add({ positionals: [given = ''], values, json }: Given): Promise<number> {
  const email = given.trim().toLowerCase()
  if (!isEmail(email)) throw new CommandProblem(`"${given}" is not an e-mail address.`)
  const role = roleOf(textOf(values.role))
  const slug = textOf(values.merchant)
  if (slug === undefined) throw new CommandProblem('Name the merchant with --merchant.')
  const password = values['password-stdin'] === true ? await passwordFor(email) : undefined
  return withDatabase(async (opened) => {
    const merchant = await merchantNamed(opened.database, slug)
    const now = Date.now()
    const countries = countriesOf(values.country)
    const code = await opened.database.inTransaction(async (tx) => {
      const member = { email, merchantId: merchant.id, role, countries }
      const user = await addMember(tx, member, COMMAND_LINE, now)
      if (user === undefined) throw new CommandProblem(`"${email}" belongs to the staff.`)
      if (password === undefined) return newLink(tx, user.userId, 'PASSWORD', now)
      await changeUser(tx, user.userId, { passwordHash: password })
      return undefined
    })
    if (code !== undefined) return printLink(opened, email, code, json)
    return print(json, { email }, `${email} may sign in to ${slug} as ${role}.`)
  })
}

function roleOf(given: string | undefined): Role {
  if (given !== undefined && isRole(given)) return given
  if (STAFF_ROLES.some((role) => role === given)) {
    throw new CommandProblem('Roles of staff belong to the console, which does not exist yet.')
  }
  const message = given === undefined ? 'Name the role with --role.' : `"${given}" is not a role.`
  throw new CommandProblem(`${message} Roles are ${ROLES.join(', ')}.`)
}

const countriesOf = (given: unknown): readonly string[] =>
  ((Array.isArray(given) ? given : []) as readonly string[]).map((country) => {
    if (/^[A-Z]{3}$/.test(country)) return country
    throw new CommandProblem(`"${country}" is not a country. Use three letters, such as ZMB.`)
  })

async function passwordFor(email: string): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const fault = passwordFault(password, email, commonPasswords())
  if (fault !== undefined) throw new CommandProblem(PASSWORD_FAULTS[fault])
  return hashPassword(password)
}

const PASSWORD_FAULTS = {
  TOO_SHORT: 'The password is too short. Use at least 12 characters.',
  TOO_LONG: 'The password is too long. Use at most 200 characters.',
  COMMON: 'Many people use this password, so it is easy to guess. Use another one.',
  LIKE_EMAIL: 'The password is too much like the e-mail. Use another one.',
}

function changing(
  verb: 'disable' | 'enable',
  summary: string,
  change: (tx: Db, user: User, now: number) => Promise<void>,
): Command {
  return {
    name: `user ${verb}`,
    summary,
    arguments: ['email'],
    options: {},
    run: ({ positionals: [email = ''], json }) =>
      withDatabase(async ({ database }) => {
        const user = await userNamed(database, email)
        const now = Date.now()
        await database.inTransaction(async (tx) => {
          await change(tx, user, now)
          await recordFor(tx, user, `user ${verb}d`, now)
        })
        return print(json, { email: user.email }, `${user.email} is ${verb}d.`)
      }),
  }
}

const recordFor = (tx: Db, user: User, action: string, at: number): Promise<void> =>
  recordAbout(tx, user, { at, actor: COMMAND_LINE.email, action, address: COMMAND_LINE.address })

async function userNamed(database: Database, email: string): Promise<User> {
  const user = await findUserByEmail(database, email.trim().toLowerCase())
  if (user !== undefined) return user
  throw new CommandProblem(`There is no user "${email}". See malipo user list.`)
}

const factorsOf = ({ hasCode, passkeys }: User): string =>
  [...(hasCode ? ['authenticator'] : []), ...(passkeys > 0 ? ['passkey'] : [])].join(', ') || 'none'

const stateOf = ({ isDisabled, passwordHash }: User): string => {
  if (isDisabled) return 'disabled'
  return passwordHash === null ? 'invited' : 'active'
}

function printLink({ config }: Opened, email: string, code: string, json: boolean): number {
  const link = passwordUrl(config.publicUrl ?? `http://127.0.0.1:${config.port}`, code)
  const words = `${link}\n\nSend it to ${email}. It works once, for seven days, to set a password.`
  return print(json, { email, link }, words)
}
